import type { PodFailurePolicy, SuccessPolicy, UncountedTerminatedPods } from "@rookery/api";
import { GoStruct } from "../meta/go-struct.ts";

/** Policies as errors show them. */
export function shownFailurePolicy({ rules }: PodFailurePolicy): GoStruct {
  const shownRules = rules?.map(({ action = "", onExitCodes, onPodConditions }) => ({
    Action: action,
    OnExitCodes: onExitCodes
      ? {
          ContainerName: onExitCodes.containerName ?? null,
          Operator: onExitCodes.operator ?? "",
          Values: onExitCodes.values ?? null,
        }
      : null,
    OnPodConditions:
      onPodConditions?.map(({ type = "", status = "" }) => ({ Type: type, Status: status })) ??
      null,
  }));
  return new GoStruct({ Rules: shownRules ?? null });
}

export function shownSuccessPolicy({ rules }: SuccessPolicy): GoStruct {
  const shownRules = rules?.map(({ succeededIndexes, succeededCount }) => ({
    SucceededIndexes: succeededIndexes ?? null,
    SucceededCount: succeededCount ?? null,
  }));
  return new GoStruct({ Rules: shownRules ?? null });
}

export function shownTerminatedPods({ succeeded, failed }: UncountedTerminatedPods): GoStruct {
  return new GoStruct({ Succeeded: succeeded ?? null, Failed: failed ?? null });
}
