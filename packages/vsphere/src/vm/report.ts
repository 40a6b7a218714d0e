import type { VSphereVM } from "@rookery/api";
import { notPaused } from "@rookery/cluster-api";
import { type Clock, type Finding, statementsOf, withConditions } from "@rookery/kube";

/** The virtual machine with the condition Ready, and `status.ready` with it. */
export function withReady(
  vm: VSphereVM,
  { status, reason, message }: Finding,
  clock: Clock,
): VSphereVM {
  const statements = statementsOf({ Ready: { status, reason, message } });
  const changed = withConditions(vm, [...statements, notPaused], clock);
  return { ...changed, status: { ...changed.status, ready: status === "True" } };
}
