import type { VSphereVM } from "@rookery/api";
import { objectKeyOf } from "@rookery/kube";
import { done, type Result, requeueAfter } from "@rookery/runtime";
import type { Session } from "../sessions/session.ts";
import { formatReference } from "../vim/managed-object.ts";
import type { Properties } from "../vim/property-stream.ts";
import { powerOn } from "../vim/virtual-machine.ts";
import { notReady, withCondition } from "./conditions.ts";
import {
  addressesOf,
  findMachine,
  guestPaths,
  guestStateOf,
  type MachineState,
  readMachine,
} from "./machine-state.ts";
import { startClone, startTellingGuest } from "./phases.ts";
import type { VmDependencies } from "./scope.ts";
import { rememberTask, settleTask } from "./tasks.ts";

interface Means {
  readonly session: Session;
  readonly userdata: Uint8Array;
}

/** In case that a change of the guest is not heard of, in seconds. */
const longWait = 120;

/** Takes the next step towards a machine that runs: clone, tell the guest, power on, addresses. */
export async function advance(
  object: VSphereVM,
  { session, userdata }: Means,
  dependencies: VmDependencies,
): Promise<Result> {
  const world = { ...dependencies, session };
  const { waiting, vm } = await settleTask(object, world);
  if (waiting) return waiting;
  const machine = await findMachine(session.vcenter, vm);
  if (!machine) return rememberTask(vm, await startClone(session, vm, userdata), world);
  const state = await readMachine(session.vcenter, machine);
  if (vm.spec.biosUUID !== state.biosUuid) {
    await dependencies.commit(vm, { ...vm, spec: { ...vm.spec, biosUUID: state.biosUuid } });
    return done;
  }
  if (!state.isOn) {
    const telling = await startTellingGuest(session, vm, { ...state, userdata });
    const task = telling ?? (await powerOn(session.vcenter, machine));
    return rememberTask(vm, task, world);
  }
  return report(vm, state, world);
}

/** A machine that runs is ready when it has an address; until then its guest is watched. */
async function report(
  vm: VSphereVM,
  state: MachineState,
  { session, ...dependencies }: VmDependencies & { readonly session: Session },
): Promise<Result> {
  const addresses = addressesOf(state.network);
  const isReady = addresses.length > 0;
  const statement = isReady
    ? ({ type: "Ready", status: "True", reason: "Running", message: "" } as const)
    : notReady("WaitingForAddress", "the guest has no address yet");
  const stated = withCondition(vm, statement, dependencies);
  const { network } = state;
  const vmRef = formatReference(state.machine);
  await dependencies.commit(vm, {
    ...stated,
    status: { ...stated.status, addresses, network, vmRef },
  });
  if (isReady) return done;
  dependencies.changes.await(objectKeyOf(vm), session.stream, {
    object: state.machine,
    paths: guestPaths,
    isOver: hasLeft(state),
  });
  return requeueAfter(longWait);
}

/** Whether the guest is no longer in a state: it has an address, or it no longer runs. */
function hasLeft({ isOn }: MachineState): (properties: Properties) => boolean {
  return (properties) => {
    const now = guestStateOf(properties);
    return now.isOn !== isOn || addressesOf(now.network).length > 0;
  };
}
