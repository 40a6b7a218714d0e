import { type Component, contentHash } from "@rookery/components";

const known = new WeakMap<Component, string>();

/** A hash of a component, cached because it is used for the release's id and for each apply. */
export function componentHash(component: Component): string {
  const hash = known.get(component) ?? contentHash(component);
  known.set(component, hash);
  return hash;
}
