import type { KubeObject } from "../../object/object.ts";
import type { Container, PodSpec } from "./pod-spec.ts";

/** What is looked at: a pod, or the template of one. */
export interface CheckedPod {
  readonly metadata: KubeObject["metadata"];
  readonly spec: PodSpec;
}

export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** One rule of a level. */
export interface Check {
  /** The minor version of Kubernetes from which on it counts. */
  readonly since: number;
  /** The check of the level below that this one makes needless. */
  readonly overrides?: Check;
  /** By the rules of a minor version. */
  readonly violation: (pod: CheckedPod, minor: number) => Violation | undefined;
}

export function containersOf({ spec }: CheckedPod): readonly Container[] {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec;
  return [...initContainers, ...containers, ...ephemeralContainers];
}

/** The names of containers that are like that. */
export function containersThat(pod: CheckedPod, are: (container: Container) => boolean): string[] {
  return containersOf(pod)
    .filter(are)
    .map(({ name = "" }) => name);
}

export function isWindows({ spec }: CheckedPod): boolean {
  return spec.os?.name === "windows";
}

export function joinQuote(items: readonly string[]): string {
  return items.map((item) => `"${item}"`).join(", ");
}

export function plural(one: string, count: number, many = `${one}s`): string {
  return count === 1 ? one : many;
}

/** As in `containers "a", "b"`. */
export function namedContainers(names: readonly string[]): string {
  return `${plural("container", names.length)} ${joinQuote(names)}`;
}

/** Who set something: the pod itself, containers, or both. */
export function setters(isPod: boolean, containers: readonly string[]): string {
  const all = [
    ...(isPod ? ["pod"] : []),
    ...(containers.length > 0 ? [namedContainers(containers)] : []),
  ];
  return all.join(" and ");
}

export function sortedUnique(values: Iterable<string>): string[] {
  return [...new Set(values)].toSorted();
}
