import type { VSphereVM } from "@rookery/api";
import { notPaused } from "@rookery/cluster-api";
import { type ConditionStatement, withConditions } from "@rookery/kube";
import type { VmDependencies } from "./scope.ts";

/** Why a machine is not ready. */
export function notReady(reason: string, message: string): ConditionStatement {
  return { type: "Ready", status: "False", reason, message };
}

/** The object with the condition Ready, and `status.ready` with it. */
export function withCondition(
  vm: VSphereVM,
  statement: ConditionStatement,
  { clock }: Pick<VmDependencies, "clock">,
): VSphereVM {
  const changed = withConditions(vm, [statement, notPaused], clock);
  return { ...changed, status: { ...changed.status, ready: statement.status === "True" } };
}
