import type { VSphereMachine, VSphereVM } from "@rookery/api";
import { notPaused } from "@rookery/cluster-api";
import { type ConditionStatement, getCondition, withConditions } from "@rookery/kube";
import type { MachineDependencies } from "./scope.ts";

/** What is said of a machine. */
export type Statement = Omit<ConditionStatement, "type" | "observedGeneration">;

export function notReady(reason: string, message: string): Statement {
  return { status: "False", reason, message };
}

/** What the virtual machine says of itself is what the machine says. */
export function statementOf({ status }: VSphereVM): Statement {
  const ready = getCondition(status?.conditions, "Ready");
  if (!ready) return notReady("Provisioning", "the virtual machine is being made");
  const { reason, message } = ready;
  return { status: ready.status, reason, message };
}

/** Both types say the same: the second is what existing users look for. */
export function withStatement(
  machine: VSphereMachine,
  statement: Statement,
  { clock }: Pick<MachineDependencies, "clock">,
): VSphereMachine {
  const statements = ["VirtualMachineProvisioned", "Ready"].map((type) => ({ type, ...statement }));
  const changed = withConditions(machine, [...statements, notPaused], clock);
  return { ...changed, status: { ...changed.status, ready: statement.status === "True" } };
}
