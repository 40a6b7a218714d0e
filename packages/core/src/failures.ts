import { errorGuard } from "@rookery/errors";
import {
  type Clock,
  type Conditioned,
  type ConditionStatus,
  type Finding,
  isFalse,
  type KubeObject,
} from "@rookery/kube";
import type { LifecycleErrors } from "@rookery/runtime";
import { withOrderedConditions } from "./conditions/order.ts";
import * as errors from "./errors.ts";

const isOwnError = errorGuard(errors);

/** Errors of a reconcile become this condition, unless other conditions show them already. */
export function errorCondition<T extends KubeObject & Conditioned>(
  type: string,
  status: ConditionStatus,
): LifecycleErrors<T, { readonly clock: Clock }> {
  return {
    findingOf,
    withFinding: (object, finding, { clock }) =>
      withOrderedConditions(object, [{ ...finding, type, status }], clock),
  };
}

function findingOf(error: unknown): Finding | "reported" | undefined {
  if (!isOwnError(error)) return undefined;
  switch (error.code) {
    case "Reported":
      return "reported";
    case "Contract":
    case "Node":
    case "NotConnected":
    case "PartLost":
    case "PartTaken":
    case "Resource":
      return isFalse("InternalError", error.message);
  }
}
