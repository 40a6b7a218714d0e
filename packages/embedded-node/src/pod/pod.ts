import type { Container, PodSpec, PodStatus } from "@rookery/api";
import type { KubeObject, ObjectMeta } from "@rookery/kube";

/** A pod as the API server gives it. */
export interface BoundPod extends KubeObject<PodSpec, PodStatus> {
  readonly metadata: ObjectMeta;
  readonly spec: PodSpec;
  readonly status?: PodStatus;
}

/** "name_namespace(uid)", as kubelets write pods in messages. */
export function podText({ metadata }: BoundPod): string {
  return `${metadata.name}_${metadata.namespace}(${metadata.uid})`;
}

/** Init containers that go on beside the others. */
export function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === "Always";
}

export function initContainersOf({ spec }: BoundPod): readonly Container[] {
  return spec.initContainers ?? [];
}

export function containersOf({ spec }: BoundPod): readonly Container[] {
  return spec.containers ?? [];
}

/** Containers that were added to the running pod for debugging. */
export function ephemeralContainersOf({ spec }: BoundPod): readonly Container[] {
  return spec.ephemeralContainers ?? [];
}

export function isTerminalPhase(phase: string | undefined): boolean {
  return phase === "Succeeded" || phase === "Failed";
}

/** Whether a container that ended is started again. */
export function isRestarted(pod: BoundPod, container: Container, exitCode: number): boolean {
  if (isSidecar(container)) return true;
  if (ephemeralContainersOf(pod).some(({ name }) => name === container.name)) return false;
  const { restartPolicy = "Always" } = pod.spec;
  if (restartPolicy === "Never") return false;
  const isInit = initContainersOf(pod).some(({ name }) => name === container.name);
  return restartPolicy === "Always" && !isInit ? true : exitCode !== 0;
}

/** The number of a port that may be given by its name. */
export function portNumber(port: number | string | undefined, container: Container): number {
  const number = Number(port);
  if (Number.isInteger(number)) return number;
  const named = container.ports?.find(({ name }) => name === port)?.containerPort;
  if (named === undefined) throw new Error(`couldn't find port: ${port} in ${container.name}`);
  return named;
}
