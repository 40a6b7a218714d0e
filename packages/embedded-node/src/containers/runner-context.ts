import type { Container } from "@rookery/api";
import type { Clock } from "@rookery/kube";
import type { CoreEvent } from "@rookery/runtime";
import type { BoundPod } from "../pod/pod.ts";
import type { MountTools } from "../processes/mount-mode.ts";
import type { ContainerRecord } from "../processes/pod-record.ts";
import type { ImagePrograms } from "./images.ts";
import type { NodeSettings } from "./settings.ts";

/** What a container needs of its pod. */
export interface RunnerContext {
  /** As it is now. */
  pod(): BoundPod;
  readonly address: string;
  /** Of the pod. */
  readonly folder: string;
  readonly logFolder: string;
  /** Of the node: what containers share. */
  readonly shared: string;
  readonly images: ImagePrograms;
  readonly tools: MountTools | undefined;
  readonly volumes: ReadonlyMap<string, string>;
  readonly settings: NodeSettings;
  readonly now: Clock;
  /** Throws MissingKeyError. */
  variablesOf(container: Container): Readonly<Record<string, string>>;
  event(container: Container, event: CoreEvent): void;
  /** Keeps what a later run has to know, before anything else happens. */
  keep(container: string, record: ContainerRecord): void;
  /** Its status is another one. */
  changed(): void;
  onError(error: unknown): void;
}
