import type { VSphereVM } from "@rookery/api";
import { withReadiness } from "@rookery/cluster-api";
import type { Clock, Finding } from "@rookery/kube";

/** The virtual machine with the condition Ready, and `status.ready` with it. */
export function withReady(
  vm: VSphereVM,
  { status, reason, message }: Finding,
  clock: Clock,
): VSphereVM {
  return withReadiness(vm, { Ready: { status, reason, message } }, clock);
}
