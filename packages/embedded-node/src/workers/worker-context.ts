import type { Service } from "@rookery/api";
import type { Client } from "@rookery/client";
import type { CoreEvents } from "@rookery/runtime";
import type { PodContext } from "../containers/runner-context.ts";
import type { ServiceName } from "../names/service-names.ts";
import type { KeyedSources } from "../pod/environment.ts";
import type { PodRecord } from "../processes/pod-record.ts";

/** The dependencies of a pod, provided by its node. */
export interface WorkerContext extends PodContext {
  readonly client: Client;
  readonly api: { readonly host: string; readonly port: number };
  readonly hostIP: string;
  readonly allocatable: Readonly<Record<string, string>>;
  readonly sources: KeyedSources;
  readonly events: CoreEvents;
  /** The record of an earlier run of the node. */
  readonly record: PodRecord | undefined;
  servicesIn(namespace: string): readonly Service[];
  /** The present names of Services. */
  names(): readonly ServiceName[];
}
