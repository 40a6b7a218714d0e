import { deepEqual, type KubeObject } from "@rookery/kube";
import type { Predicate } from "@rookery/runtime";
import { moreThanStatusChanged } from "./more-than-status-changed.ts";

/**
 * Leaves out what a component tells people of itself: others go by the rest of its status. A resync
 * passes.
 */
export const moreThanConditionsChanged: Predicate<KubeObject> = (event) => {
  if (event.type !== "update" || moreThanStatusChanged(event)) return true;
  return !deepEqual(decisive(event.objectOld), decisive(event.objectNew));
};

function decisive({ status }: KubeObject): object {
  const { conditions: _, ...rest } = (status ?? {}) as { readonly conditions?: unknown };
  return rest;
}
