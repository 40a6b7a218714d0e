import type { Service } from "@rookery/api";
import type { Client } from "@rookery/client";
import type { Clock } from "@rookery/kube";
import type { CoreEvents } from "@rookery/runtime";
import type { ImagePrograms } from "../containers/images.ts";
import type { NodeSettings } from "../containers/settings.ts";
import type { ServiceName } from "../names/service-names.ts";
import type { KeyedSources } from "../pod/environment.ts";
import type { MountTools } from "../processes/mount-mode.ts";
import type { PodRecord } from "../processes/pod-record.ts";

/** What a pod needs of its node. */
export interface WorkerContext {
  readonly client: Client;
  readonly images: ImagePrograms;
  readonly api: { readonly host: string; readonly port: number };
  readonly hostIP: string;
  readonly allocatable: Readonly<Record<string, string>>;
  readonly sources: KeyedSources;
  readonly tools: MountTools | undefined;
  readonly events: CoreEvents;
  readonly settings: NodeSettings;
  readonly now: Clock;
  readonly address: string;
  /** Of the pod; a second one of the same name has another. */
  readonly folder: string;
  readonly logFolder: string;
  /** Of the node: what its pods share. */
  readonly shared: string;
  /** From an earlier run of the node. */
  readonly record: PodRecord | undefined;
  servicesIn(namespace: string): readonly Service[];
  /** By which pods find Services, as they are now. */
  names(): readonly ServiceName[];
  onError(error: unknown): void;
}
