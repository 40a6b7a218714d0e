import type { Container } from "@rookery/api";
import type { Clock } from "@rookery/kube";
import type { CoreEvent } from "@rookery/runtime";
import type { BoundPod } from "../pod/pod.ts";
import type { MountTools } from "../processes/mount-mode.ts";
import type { ContainerRecord } from "../processes/pod-record.ts";
import type { ImagePrograms } from "./images.ts";
import type { NodeSettings } from "./settings.ts";

/** The dependencies that a pod and its containers share. */
export interface PodContext {
  readonly address: string;
  /** The folder of the pod; a second pod of the same name has another. */
  readonly folder: string;
  readonly logFolder: string;
  /** The folder of the node, for files that containers share. */
  readonly shared: string;
  readonly images: ImagePrograms;
  readonly tools: MountTools | undefined;
  readonly settings: NodeSettings;
  readonly now: Clock;
  onError(error: unknown): void;
}

/** The dependencies of a container, provided by its pod. */
export interface RunnerContext extends PodContext {
  /** The present pod. */
  pod(): BoundPod;
  readonly volumes: ReadonlyMap<string, string>;
  /** Throws MissingKeyError. */
  variablesOf(container: Container): Readonly<Record<string, string>>;
  event(container: Container, event: CoreEvent): void;
  /** Records the state for a later run of the node, before anything else happens. */
  keep(container: string, record: ContainerRecord): void;
  /** Called when the status of a container changed. */
  changed(): void;
}
