import type { KubeObject } from "../../object/object.ts";
import type { Container, PodSpec } from "./pod-spec.ts";

/** A pod, or a pod template. */
export interface CheckedPod {
  readonly metadata: KubeObject["metadata"];
  readonly spec: PodSpec;
}

export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

export interface Check {
  /** The first minor version of Kubernetes with this rule. */
  readonly since: number;
  /** A check of the lower level that this check replaces. */
  readonly overrides?: Check;
  readonly violation: (pod: CheckedPod, minor: number) => Violation | undefined;
}

/** A check with one reason; `detailOf` returns undefined where a pod complies. */
export function check(
  reason: string,
  detailOf: (pod: CheckedPod, minor: number) => string | undefined,
  { since = 0, ...options }: Partial<Pick<Check, "since" | "overrides">> = {},
): Check {
  const violation: Check["violation"] = (pod, minor) => {
    const detail = detailOf(pod, minor);
    return detail === undefined ? undefined : { reason, detail };
  };
  return { since, ...options, violation };
}

/** The names of containers with bad values, and the values, sorted; undefined without any. */
export function badValues(pod: CheckedPod, valuesOf: (container: Container) => readonly string[]) {
  const bad = containersThat(pod, (container) => valuesOf(container).length > 0);
  if (bad.length === 0) return undefined;
  return { bad, values: sortedUnique(containersOf(pod).flatMap(valuesOf)) };
}

export function containersOf({ spec }: CheckedPod): readonly Container[] {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec;
  return [...initContainers, ...containers, ...ephemeralContainers];
}

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

/** The pod, the containers, or both, as the subject of a message. */
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
