import type { VSphereMachine, VSphereVM } from "@rookery/api";
import { withReadiness } from "@rookery/cluster-api";
import { type Clock, type Finding, getCondition, isFalse } from "@rookery/kube";

/** The finding of a machine is the condition Ready of its virtual machine. */
export function findingOf({ status }: VSphereVM): Finding {
  const ready = getCondition(status?.conditions, "Ready");
  if (!ready) return isFalse("Provisioning", "the virtual machine is being made");
  const { reason, message } = ready;
  return { status: ready.status, reason, message };
}

/** The machine with one finding as two conditions: existing users read the first type. */
export function withFinding(
  machine: VSphereMachine,
  { status, reason, message }: Finding,
  clock: Clock,
): VSphereMachine {
  const finding = { status, reason, message };
  return withReadiness(machine, { VirtualMachineProvisioned: finding, Ready: finding }, clock);
}
