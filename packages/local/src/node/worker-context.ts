import type { Service } from "@rookery/api";
import type { Client } from "@rookery/client";
import type { Clock } from "@rookery/kube";
import type { CoreEvents } from "@rookery/runtime";
import type { KeyedSources } from "./environment.ts";
import type { ImagePrograms } from "./images.ts";
import type { MountTools } from "./mount-mode.ts";
import type { ServiceName } from "./names/service-names.ts";
import type { PodRecord } from "./pod-record.ts";
import type { NodeSettings } from "./settings.ts";

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
