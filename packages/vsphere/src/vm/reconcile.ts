import type { VSphereVM } from "@rookery/api";
import { whenPaused } from "@rookery/cluster-api";
import { isFalse, objectKeyOf } from "@rookery/kube";
import { createLifecycle, type Outcome } from "@rookery/runtime";
import { failureOf } from "../failures.ts";
import { holderOf } from "../sessions/session.ts";
import { inSession } from "./in-session.ts";
import { provisionMachine } from "./phases/provision.ts";
import { removeMachine } from "./phases/remove.ts";
import { withReady } from "./report.ts";
import type { VmScope } from "./scope.ts";

/**
 * Makes the virtual machine of a VSphereVM. `awaitsFinalizer` stays: with an object that is older than the last
 * write, a machine could be cloned twice.
 */
export const vmLifecycle = createLifecycle<VSphereVM, VmScope>({
  finalizer: "vspherevm.infrastructure.cluster.x-k8s.io",
  awaitsFinalizer: true,
  forget: (request, { sessions, failures }) => {
    sessions.release(holderOf("VSphereVM", request));
    failures.forget(holderOf("VSphereVM", request));
  },
  whenPaused: async (vm, { getOwnerCluster, clock }) =>
    whenPaused(vm, await getOwnerCluster(vm), clock),
  provision,
  remove,
  errors: {
    findingOf: (error, { spec }) =>
      failureOf(error, { server: spec.server ?? "", isListed: false }),
    withFinding: (vm, finding, { clock }) => withReady(vm, finding, clock),
  },
});

async function provision(vm: VSphereVM, scope: VmScope): Promise<Outcome<VSphereVM>> {
  const userdata = await scope.getBootstrapData(vm);
  // A virtual machine that exists has its bootstrap data already.
  if (!userdata && !vm.spec.biosUUID) {
    const message = "the bootstrap data of the machine is not there yet";
    return { object: withReady(vm, isFalse("WaitingForBootstrapData", message), scope.clock) };
  }
  return inSession(vm, scope, (current, connected) =>
    provisionMachine(current, userdata, connected),
  );
}

async function remove(vm: VSphereVM, scope: VmScope): Promise<Outcome<VSphereVM> | "removed"> {
  // Without a virtual machine no login is needed, and the account may be gone.
  const outcome = wasCloned(vm) ? await inSession(vm, scope, removeMachine) : "removed";
  if (outcome === "removed") scope.sessions.release(holderOf("VSphereVM", objectKeyOf(vm)));
  return outcome;
}

/** Whether there may be a virtual machine: the clone mode is written before the clone is started. */
function wasCloned({ spec, status }: VSphereVM): boolean {
  const traces = [spec.biosUUID, status?.cloneMode, status?.taskRef, status?.vmRef];
  return traces.some((trace) => trace !== undefined);
}
