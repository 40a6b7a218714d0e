import { deepEqual, type KubeObject } from "@rookery/kube";
import type { Predicate } from "@rookery/runtime";
import { moreThanStatusChanged } from "./more-than-status-changed.ts";

/** Ignores updates of conditions alone, which other controllers do not read. A resync passes. */
export const moreThanConditionsChanged: Predicate<KubeObject> = (event) => {
  if (event.type !== "update" || moreThanStatusChanged(event)) return true;
  return !deepEqual(decisive(event.objectOld), decisive(event.objectNew));
};

function decisive({ status }: KubeObject): object {
  const { conditions: _, ...rest } = (status ?? {}) as { readonly conditions?: unknown };
  return rest;
}
