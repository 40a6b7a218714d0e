import { type Component, contentHash } from "@rookery/components";

const known = new WeakMap<Component, string>();

/** Of a component's content. It is asked for when a release is named and when it is applied, and never changes. */
export function componentHash(component: Component): string {
  const hash = known.get(component) ?? contentHash(component);
  known.set(component, hash);
  return hash;
}
