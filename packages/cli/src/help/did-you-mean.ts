import { nearestName } from "@rookery/kube";

/** "; did you mean vsphere?" of what is nearly one of the names; nothing where it is one, or none is near. */
export function didYouMean(typed: string, names: readonly string[]): string {
  const near = names.includes(typed) ? undefined : nearestName(typed, [...new Set(names)]);
  return near === undefined ? "" : `; did you mean ${near}?`;
}
