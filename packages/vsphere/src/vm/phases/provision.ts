import type { VSphereVM } from "@rookery/api";
import { objectKeyOf } from "@rookery/kube";
import { done, type Result, requeueAfter } from "@rookery/runtime";
import { VirtualMachineGoneError } from "../../errors.ts";
import { attachTags } from "../../rest/tags.ts";
import type { Session } from "../../sessions/session.ts";
import { formatReference } from "../../vim/managed-object.ts";
import type { Properties } from "../../vim/property-watch.ts";
import { powerOn } from "../../vim/virtual-machine.ts";
import {
  addressesOf,
  findMachine,
  guestPaths,
  guestStateOf,
  type MachineState,
  readMachine,
} from "../machine-state.ts";
import { assertOwner, startMarking } from "../ownership.ts";
import { notReady, withCondition } from "../report.ts";
import type { VmDependencies } from "../scope.ts";
import { rememberTask, settleTask, type TaskWorld } from "../tasks.ts";
import { planClone, startTellingGuest, startUpgrading } from "./clone.ts";

interface Means {
  readonly session: Session;
  /** What it starts with; undefined of one that has started. */
  readonly userdata: Uint8Array | undefined;
}

/** In case that a change of the guest is not heard of, in seconds. */
const longWait = 120;

/** How often a machine that runs is looked at: it may be powered off or removed by others. */
const lookInterval = 600;

/** Takes the next step towards a machine that runs: clone, prepare, power on, addresses. */
export async function advance(
  object: VSphereVM,
  { session, userdata }: Means,
  dependencies: VmDependencies,
): Promise<Result> {
  const world = { ...dependencies, session };
  const { waiting, vm } = await settleTask(object, world);
  if (waiting) return waiting;
  const found = await findMachine(session.vcenter, vm);
  if (!found) return make(vm, userdata, world);
  const state = await readMachine(session.vcenter, found.machine);
  assertOwner(vm, { ...state, ...found }, dependencies);
  if (vm.spec.biosUUID !== state.biosUuid) {
    await dependencies.commit(vm, { ...vm, spec: { ...vm.spec, biosUUID: state.biosUuid } });
    return done;
  }
  const marking = await startMarking(session, vm, { ...dependencies, ...state });
  if (marking) return rememberTask(vm, marking, world);
  if (!state.isOn) return prepare(vm, { ...state, userdata }, world);
  return report(vm, state, world);
}

/** Clones it, unless it was there before. How it is cloned is written first: see `wasCloned`. */
async function make(vm: VSphereVM, userdata: Means["userdata"], world: TaskWorld): Promise<Result> {
  if (vm.spec.biosUUID) throw new VirtualMachineGoneError(vm.spec.biosUUID);
  const { cloneMode, start } = await planClone(world.session, vm, userdata);
  const planned = await world.commit(vm, { ...vm, status: { ...vm.status, cloneMode } });
  return rememberTask(planned, await start(), world);
}

/** What has to be done before it runs, one task after the other. */
async function prepare(
  vm: VSphereVM,
  state: MachineState & Pick<Means, "userdata">,
  world: TaskWorld,
): Promise<Result> {
  const { session } = world;
  const changing =
    (await startUpgrading(session, vm, state)) ?? (await startTellingGuest(session, vm, state));
  if (changing) return rememberTask(vm, changing, world);
  const { tagIDs = [] } = vm.spec;
  if (tagIDs.length > 0) await attachTags(session.rest, state.machine, tagIDs);
  return rememberTask(vm, await powerOn(session.vcenter, state.machine), world);
}

/** A machine that runs is ready when it has an address; until then its guest is watched. */
async function report(
  vm: VSphereVM,
  state: MachineState,
  { session, ...dependencies }: TaskWorld,
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
  if (isReady) return requeueAfter(lookInterval);
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
