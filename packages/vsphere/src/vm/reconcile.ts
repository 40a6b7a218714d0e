import type { VSphereCluster, VSphereVM } from "@rookery/api";
import { paused } from "@rookery/cluster-api";
import { type ConditionStatement, objectKeyOf, withConditions } from "@rookery/kube";
import {
  createErrorReporter,
  done,
  type FailedReconcile,
  hasFinalizer,
  isBeingDeleted,
  type Request,
  type Result,
  requeueAfter,
  withFinalizer,
  withoutFinalizer,
} from "@rookery/runtime";
import { isConnectedWith, machineServer, withConnection } from "../credentials/kept-server.ts";
import { type ResolvedIdentity, resolveIdentity } from "../credentials/resolve-identity.ts";
import { failureOf, failureOfMachine, isConnectionError, type KnownServer } from "../failures.ts";
import type { Session } from "../sessions/session.ts";
import type { SessionTarget } from "../sessions/session-target.ts";
import { advance } from "./phases/provision.ts";
import { retire } from "./phases/remove.ts";
import { notReady, withCondition } from "./report.ts";
import type { VmDependencies } from "./scope.ts";

const vmFinalizer = "vspherevm.infrastructure.cluster.x-k8s.io";

/** Brings a virtual machine to what its object says. */
export async function reconcileVm(request: Request, dependencies: VmDependencies): Promise<Result> {
  const vm = await dependencies.getVm(request);
  if (!vm) {
    dependencies.sessions.release(holderOf(request));
    return done;
  }
  if (await dependencies.isPaused(vm)) {
    await dependencies.commit(vm, withConditions(vm, [paused], dependencies.clock));
    return done;
  }
  if (isBeingDeleted(vm)) return remove(vm, dependencies);
  if (!hasFinalizer(vm, vmFinalizer)) {
    await dependencies.commit(vm, withFinalizer(vm, vmFinalizer));
    return done;
  }
  const userdata = await dependencies.getBootstrapData(vm);
  // One that is there has got it already.
  if (!userdata && !vm.spec.biosUUID) {
    const message = "the bootstrap data of the machine is not there yet";
    return say(vm, notReady("WaitingForBootstrapData", message), dependencies);
  }
  return inSession(vm, dependencies, (current, session) =>
    advance(current, { session, userdata }, dependencies),
  );
}

/** Says of a virtual machine why its reconcile failed. */
export function reportVmError(
  failed: FailedReconcile,
  dependencies: VmDependencies,
): Promise<void> {
  const report = createErrorReporter<VSphereVM>({
    get: dependencies.getVm,
    commit: dependencies.commit,
    withFinding: (vm, { reason, message }) =>
      withCondition(vm, notReady(reason, message), dependencies),
    findingOf: (error, { spec }) =>
      failureOf(error, { server: spec.server ?? "", isListed: false }),
  });
  return report(failed);
}

async function remove(vm: VSphereVM, dependencies: VmDependencies): Promise<Result> {
  if (!hasFinalizer(vm, vmFinalizer)) return done;
  // There is nothing on a vCenter to log in for, and there may be nobody to log in as.
  if (!wasCloned(vm)) return letGo(vm, dependencies);
  return inSession(vm, dependencies, async (current, session) => {
    const result = await retire(current, session, dependencies);
    return result === "gone" ? letGo(current, dependencies) : result;
  });
}

async function letGo(vm: VSphereVM, { sessions, commit }: VmDependencies): Promise<Result> {
  sessions.release(holderOf(objectKeyOf(vm)));
  await commit(vm, withoutFinalizer(vm, vmFinalizer));
  return done;
}

/** Whether there may be a virtual machine: how it is cloned is written down before it is. */
function wasCloned({ spec, status }: VSphereVM): boolean {
  const traces = [spec.biosUUID, status?.cloneMode, status?.taskRef, status?.vmRef];
  return traces.some((trace) => trace !== undefined);
}

/** Does work on the vCenter of the machine, as whom its cluster is made; says what is in the way. */
async function inSession(
  vm: VSphereVM,
  dependencies: VmDependencies,
  work: (vm: VSphereVM, session: Session) => Promise<Result>,
): Promise<Result> {
  const cluster = await dependencies.getCluster(vm);
  if (!cluster) {
    const message = "the VSphereCluster of the machine is not there";
    return say(vm, notReady("WaitingForCluster", message), dependencies);
  }
  const { sessions, identitySources, ca } = dependencies;
  const holder = holderOf(objectKeyOf(vm));
  // A machine may name another server than its cluster: the same rules hold for that one.
  const request = machineServer(vm, cluster);
  let known: KnownServer = { server: request.server, isListed: false };
  let current = vm;
  try {
    const identity = await resolveIdentity(cluster, identitySources, request);
    known = identity.use;
    current = await rememberConnection(vm, identity, dependencies);
    const target = targetOf(current, { cluster, identity, ca });
    const result = await sessions.use(holder, target, (session) => work(current, session));
    dependencies.failures.forget(holder);
    return result;
  } catch (error) {
    const failure = failureOfMachine(error, known);
    if (!failure) throw error;
    if (isConnectionError(error)) dependencies.failures.failed(holder, known.server, error);
    await say(current, notReady(failure.reason, failure.message), dependencies);
    return failure.retryAfter === undefined ? done : requeueAfter(failure.retryAfter);
  }
}

/**
 * Writes with what the machine is connected before anything is done there. What is known of a task or
 * a machine of another vCenter, which may have been a tenant's, means nothing on this one.
 */
async function rememberConnection(
  vm: VSphereVM,
  identity: ResolvedIdentity,
  { commit }: VmDependencies,
): Promise<VSphereVM> {
  if (isConnectedWith(vm, identity)) return vm;
  const connected = withConnection(vm, identity);
  if (!vm.status?.connection) return commit(vm, connected);
  const { taskRef: _, vmRef: __, ...status } = connected.status ?? {};
  return commit(vm, { ...connected, status });
}

/** Where the machine is, and as whom. */
function targetOf(
  vm: VSphereVM,
  around: {
    readonly cluster: VSphereCluster;
    readonly identity: ResolvedIdentity;
    readonly ca: string | undefined;
  },
): SessionTarget {
  const { cluster, identity, ca } = around;
  const { credentials, use } = identity;
  const { server, allowsAddress } = use;
  const thumbprint = vm.spec.thumbprint ?? cluster.spec?.thumbprint;
  const trust = thumbprint ? { thumbprint } : { ...(ca && { ca }) };
  return { server, ...credentials, ...trust, ...(allowsAddress && { allowsAddress }) };
}

/** In whose name the session of a machine is held. */
function holderOf({ namespace, name }: Request): string {
  return `VSphereVM/${namespace}/${name}`;
}

async function say(
  vm: VSphereVM,
  statement: ConditionStatement,
  dependencies: VmDependencies,
): Promise<Result> {
  await dependencies.commit(vm, withCondition(vm, statement, dependencies));
  return done;
}
