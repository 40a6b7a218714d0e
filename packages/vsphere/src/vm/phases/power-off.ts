import type { VSphereVM } from "@rookery/api";
import { type ConditionStatement, formatTime, objectKeyOf, withConditions } from "@rookery/kube";
import { type Result, requeueAfter } from "@rookery/runtime";
import { powerOff, shutdownGuest } from "../../vim/virtual-machine.ts";
import { guestStateOf, type MachineState, powerPaths } from "../machine-state.ts";
import { nextPowerOffStep } from "../power-off-step.ts";
import { notReady } from "../report.ts";
import { rememberTask, type TaskWorld } from "../tasks.ts";

/** Takes the next step towards a machine that is off. */
export async function takePowerOffStep(
  vm: VSphereVM,
  state: MachineState,
  world: TaskWorld,
): Promise<Result> {
  const step = nextPowerOffStep(vm, state, world.clock());
  const { vcenter } = world.session;
  switch (step.do) {
    case "cut":
      return rememberTask(vm, await powerOff(vcenter, state.machine), world);
    case "ask":
      await shutdownGuest(vcenter, state.machine);
      return ask(vm, state, world);
    case "wait":
      awaitGuest(vm, state, world);
      return requeueAfter(step.seconds);
    case "refuse":
      return refuse(vm, state, world);
  }
}

/** When it was asked is remembered, so that a new process does not begin to wait anew. */
async function ask(vm: VSphereVM, state: MachineState, world: TaskWorld): Promise<Result> {
  const guestSoftPowerOffRequestedAt = formatTime(world.clock());
  const stated = withConditions(vm, [inProgress], world.clock);
  const status = { ...stated.status, guestSoftPowerOffRequestedAt };
  const asked = await world.commit(vm, { ...stated, status });
  awaitGuest(asked, state, world);
  const next = nextPowerOffStep(asked, state, world.clock());
  return requeueAfter(next.do === "wait" ? next.seconds : 0);
}

async function refuse(vm: VSphereVM, state: MachineState, world: TaskWorld): Promise<Result> {
  const message =
    "the guest cannot be shut down, because VMware Tools do not run in it; set spec.powerOffMode to trySoft or hard to power it off all the same";
  const failed = { ...inProgress, reason: "Failed", message };
  const statements = [failed, notReady("GuestSoftPowerOffFailed", message)];
  await world.commit(vm, withConditions(vm, statements, world.clock));
  awaitGuest(vm, state, world);
  return requeueAfter(120);
}

const inProgress: ConditionStatement = {
  type: "GuestSoftPowerOffSucceeded",
  status: "False",
  reason: "InProgress",
  message: "the guest was asked to shut down",
};

/** Hears of the power, and of the tools that the guest is asked by. */
function awaitGuest(vm: VSphereVM, state: MachineState, { changes, session }: TaskWorld): void {
  changes.await(objectKeyOf(vm), session.stream, {
    object: state.machine,
    paths: powerPaths,
    isOver: (properties) => {
      const now = guestStateOf(properties);
      return now.isOn !== state.isOn || now.canShutDown !== state.canShutDown;
    },
  });
}
