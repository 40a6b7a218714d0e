import type { VSphereVM } from "@rookery/api";
import { isFalse, isTrue, objectKeyOf } from "@rookery/kube";
import { type Outcome, requeueAfter } from "@rookery/runtime";
import { VirtualMachineGoneError } from "../../errors.ts";
import { formatReference } from "../../vim/managed-object.ts";
import type { Properties } from "../../vim/properties.ts";
import {
  addressesOf,
  findMachine,
  guestPaths,
  guestStateOf,
  type MachineState,
  readMachine,
} from "../machine-state.ts";
import { assertOwner, startMarking } from "../ownership.ts";
import { withReady } from "../report.ts";
import type { ConnectedScope } from "../scope.ts";
import { rememberTask, settleTask } from "../tasks.ts";
import { planClone } from "./clone.ts";
import { prepareMachine } from "./prepare.ts";

/** Undefined for a virtual machine that has started. */
type Userdata = Uint8Array | undefined;

/** The delay of a retry in case that the notification of a change gets lost, in seconds. */
const longWait = 120;

/** The interval in which a running machine is read: others may power it off or remove it. In seconds. */
const readInterval = 600;

/** Takes the next step towards a running virtual machine: clone, prepare, power on, addresses. */
export async function provisionMachine(
  object: VSphereVM,
  userdata: Userdata,
  scope: ConnectedScope,
): Promise<Outcome<VSphereVM>> {
  const { session } = scope;
  const { waiting, vm } = await settleTask(object, scope);
  if (waiting) return waiting;
  const found = await findMachine(session.vcenter, vm);
  if (!found) return clone(vm, userdata, scope);
  const state = await readMachine(session.vcenter, found.machine);
  assertOwner(vm, { ...state, ...found }, scope);
  if (vm.spec.biosUUID !== state.biosUuid) {
    return { object: { ...vm, spec: { ...vm.spec, biosUUID: state.biosUuid } } };
  }
  const marking = await startMarking(session, vm, { ...scope, ...state });
  if (marking) return rememberTask(vm, marking, scope);
  if (!state.isOn) return prepareMachine(vm, { ...state, userdata }, scope);
  return report(vm, state, scope);
}

/** Clones the template, unless the machine existed before. The clone mode is written first: see `wasCloned`. */
async function clone(
  vm: VSphereVM,
  userdata: Userdata,
  scope: ConnectedScope,
): Promise<Outcome<VSphereVM>> {
  if (vm.spec.biosUUID) throw new VirtualMachineGoneError(vm.spec.biosUUID);
  const { cloneMode, start } = await planClone(scope.session, vm, userdata);
  const planned = await scope.commit(vm, { ...vm, status: { ...vm.status, cloneMode } });
  return rememberTask(planned, await start(), scope);
}

/** A running machine is ready when it has an address; until then its guest is watched. */
function report(
  vm: VSphereVM,
  state: MachineState,
  { session, changes, clock }: ConnectedScope,
): Outcome<VSphereVM> {
  const { network, machine } = state;
  const addresses = addressesOf(network);
  const isReady = addresses.length > 0;
  const waiting = isFalse("WaitingForAddress", "the guest has no address yet");
  const changed = withReady(vm, isReady ? isTrue("Running") : waiting, clock);
  const status = { ...changed.status, addresses, network, vmRef: formatReference(machine) };
  const object = { ...changed, status };
  if (isReady) return { object, result: requeueAfter(readInterval) };
  changes.await(objectKeyOf(vm), session.stream, {
    object: machine,
    paths: guestPaths,
    isOver: hasChanged(state),
  });
  return { object, result: requeueAfter(longWait) };
}

/** Whether the guest has an address by now, or no longer runs. */
function hasChanged({ isOn }: MachineState): (properties: Properties) => boolean {
  return (properties) => {
    const now = guestStateOf(properties);
    return now.isOn !== isOn || addressesOf(now.network).length > 0;
  };
}
