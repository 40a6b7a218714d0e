import type { VSphereVM } from "@rookery/api";
import { isFalse, objectKeyOf } from "@rookery/kube";
import type { Outcome } from "@rookery/runtime";
import { isConnectedWith, machineServer, withConnection } from "../credentials/kept-server.ts";
import { type ResolvedIdentity, resolveIdentity } from "../credentials/resolve-identity.ts";
import { failureOfMachine, isConnectionError, type KnownServer, retryOf } from "../failures.ts";
import { holderOf, sessionTarget } from "../sessions/session.ts";
import { withReady } from "./report.ts";
import type { ConnectedScope, VmScope } from "./scope.ts";

type Ending = Outcome<VSphereVM> | "removed";

/**
 * Runs a phase with a session on the vCenter of the machine, as the account of its cluster. Returns the outcome of
 * the phase, or that of a failure that the provider knows; throws all others.
 */
export async function inSession<Ended extends Ending>(
  vm: VSphereVM,
  scope: VmScope,
  phase: (vm: VSphereVM, scope: ConnectedScope) => Promise<Ended>,
): Promise<Ended | Outcome<VSphereVM>> {
  const cluster = await scope.getCluster(vm);
  if (!cluster) {
    const finding = isFalse("WaitingForCluster", "the VSphereCluster of the machine is not there");
    return { object: withReady(vm, finding, scope.clock) };
  }
  const holder = holderOf("VSphereVM", objectKeyOf(vm));
  // A machine may name another server than its cluster: the same rules hold for that server.
  const request = machineServer(vm, cluster);
  let known: KnownServer = { server: request.server, isListed: false };
  let current = vm;
  // A failure is reported on the object that was written last.
  const commit: VmScope["commit"] = async (...change) => {
    current = await scope.commit(...change);
    return current;
  };
  try {
    const identity = await resolveIdentity(cluster, scope.identitySources, request);
    known = identity.use;
    const connected = await rememberConnection(vm, identity, { commit });
    const thumbprint = vm.spec.thumbprint ?? cluster.spec?.thumbprint;
    const target = sessionTarget(identity, { thumbprint, ca: scope.ca });
    const ended = await scope.sessions.use(holder, target, (session) =>
      phase(connected, { ...scope, commit, session }),
    );
    scope.failures.forget(holder);
    return ended;
  } catch (error) {
    return fail(error, current, { ...scope, known });
  }
}

/** The outcome of a failure that the provider knows; throws all others. */
function fail(
  error: unknown,
  vm: VSphereVM,
  { known, failures, clock }: VmScope & { readonly known: KnownServer },
): Outcome<VSphereVM> {
  const failure = failureOfMachine(error, known);
  if (!failure) throw error;
  const holder = holderOf("VSphereVM", objectKeyOf(vm));
  if (isConnectionError(error)) failures.failed(holder, known.server, error);
  return { object: withReady(vm, failure, clock), result: retryOf(failure) };
}

/**
 * Writes the server and the account before the phase uses them. References to a task or a machine of another
 * vCenter, which may have been a tenant's, are removed: they mean nothing on this one.
 */
async function rememberConnection(
  vm: VSphereVM,
  identity: ResolvedIdentity,
  { commit }: Pick<VmScope, "commit">,
): Promise<VSphereVM> {
  if (isConnectedWith(vm, identity)) return vm;
  const connected = withConnection(vm, identity);
  if (!vm.status?.connection) return commit(vm, connected);
  const { taskRef: _, vmRef: __, ...status } = connected.status ?? {};
  return commit(vm, { ...connected, status });
}
