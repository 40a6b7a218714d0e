import type { VSphereVM } from "@rookery/api";
import { type ConditionStatement, setCondition } from "@rookery/kube";
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
  const { generation: observedGeneration = 0 } = vm.metadata;
  const statements = { ...statement, observedGeneration };
  const conditions = setCondition(vm.status?.conditions, statements, clock);
  return {
    ...vm,
    status: { ...vm.status, ready: statement.status === "True", conditions },
  };
}
