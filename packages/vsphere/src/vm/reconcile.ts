import type { VSphereCluster, VSphereVM } from "@rookery/api";
import { type ConditionStatement, objectKeyOf } from "@rookery/kube";
import {
  done,
  hasFinalizer,
  isBeingDeleted,
  paused,
  type Request,
  type Result,
  requeueAfter,
  withConditions,
  withFinalizer,
  withoutFinalizer,
} from "@rookery/runtime";
import { resolveIdentity } from "../credentials/resolve-identity.ts";
import type { Session } from "../sessions/session.ts";
import { advance } from "./advance.ts";
import { notReady, withCondition } from "./conditions.ts";
import { failureOfMachine } from "./policies.ts";
import { retire } from "./retire.ts";
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
  return inSession(vm, dependencies, (session) => advance(vm, { session, userdata }, dependencies));
}

async function remove(vm: VSphereVM, dependencies: VmDependencies): Promise<Result> {
  if (!hasFinalizer(vm, vmFinalizer)) return done;
  return inSession(vm, dependencies, async (session) => {
    const result = await retire(vm, session, dependencies);
    if (result !== "gone") return result;
    dependencies.sessions.release(holderOf(objectKeyOf(vm)));
    await dependencies.commit(vm, withoutFinalizer(vm, vmFinalizer));
    return done;
  });
}

/** Does work on the vCenter of the machine, as whom its cluster is made; says what is in the way. */
async function inSession(
  vm: VSphereVM,
  dependencies: VmDependencies,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const cluster = await dependencies.getCluster(vm);
  if (!cluster) {
    const message = "the VSphereCluster of the machine is not there";
    return say(vm, notReady("WaitingForCluster", message), dependencies);
  }
  try {
    const { target, server } = await targetOf(vm, cluster, dependencies);
    return await dependencies.sessions.use(holderOf(objectKeyOf(vm)), { ...target, server }, work);
  } catch (error) {
    const failure = failureOfMachine(error);
    if (!failure) throw error;
    await say(vm, notReady(failure.reason, failure.message), dependencies);
    return failure.retryAfter === undefined ? done : requeueAfter(failure.retryAfter);
  }
}

/** A machine may name another server than its cluster: the same rules hold for that one. */
async function targetOf(vm: VSphereVM, cluster: VSphereCluster, dependencies: VmDependencies) {
  const server = vm.spec.server ?? cluster.spec?.server ?? "";
  const thumbprint = vm.spec.thumbprint ?? cluster.spec?.thumbprint;
  const { ca, identitySources } = dependencies;
  const there = { ...cluster, spec: { ...cluster.spec, server } };
  const { credentials } = await resolveIdentity(there, identitySources);
  const trust = thumbprint ? { thumbprint } : { ...(ca && { ca }) };
  return { server, target: { ...credentials, ...trust } };
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
