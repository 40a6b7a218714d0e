import type { VSphereVM } from "@rookery/api";
import {
  durationToMilliseconds,
  type Finding,
  formatTime,
  isFalse,
  objectKeyOf,
  parseDuration,
  parseTime,
  statementsOf,
  withConditions,
} from "@rookery/kube";
import { type Outcome, requeueAfter } from "@rookery/runtime";
import { powerOff, shutdownGuest } from "../../vim/virtual-machine.ts";
import { guestStateOf, type MachineState, powerPaths } from "../machine-state.ts";
import type { ConnectedScope } from "../scope.ts";
import { rememberTask } from "../tasks.ts";

/** Takes the next step towards a virtual machine that is powered off. */
export async function powerOffMachine(
  vm: VSphereVM,
  state: MachineState,
  scope: ConnectedScope,
): Promise<Outcome<VSphereVM>> {
  const step = nextPowerOffStep(vm, state, scope.clock());
  const { vcenter } = scope.session;
  switch (step.do) {
    case "cut":
      return rememberTask(vm, await powerOff(vcenter, state.machine), scope);
    case "ask":
      await shutdownGuest(vcenter, state.machine);
      return reportShutdown(vm, state, scope);
    case "wait":
      awaitGuest(vm, state, scope);
      return { object: vm, result: requeueAfter(step.seconds) };
    case "refuse":
      return reportRefusal(vm, state, scope);
  }
}

/** Writes when the guest was asked, so that a new process does not start the timeout again. */
function reportShutdown(
  vm: VSphereVM,
  state: MachineState,
  scope: ConnectedScope,
): Outcome<VSphereVM> {
  const guestSoftPowerOffRequestedAt = formatTime(scope.clock());
  const finding = isFalse("InProgress", "the guest was asked to shut down");
  const changed = withConditions(vm, powerOffStatements(finding), scope.clock);
  const asked = { ...changed, status: { ...changed.status, guestSoftPowerOffRequestedAt } };
  awaitGuest(asked, state, scope);
  const next = nextPowerOffStep(asked, state, scope.clock());
  return { object: asked, result: requeueAfter(next.do === "wait" ? next.seconds : 0) };
}

function reportRefusal(
  vm: VSphereVM,
  state: MachineState,
  scope: ConnectedScope,
): Outcome<VSphereVM> {
  const message =
    "the guest cannot be shut down, because VMware Tools do not run in it; set spec.powerOffMode to trySoft or hard to power it off all the same";
  const statements = [
    ...powerOffStatements(isFalse("Failed", message)),
    ...statementsOf({ Ready: isFalse("GuestSoftPowerOffFailed", message) }),
  ];
  awaitGuest(vm, state, scope);
  return { object: withConditions(vm, statements, scope.clock), result: requeueAfter(120) };
}

function powerOffStatements(finding: Finding) {
  return statementsOf({ GuestSoftPowerOffSucceeded: finding });
}

/** Starts a reconcile when the power state changes, or whether the guest can be shut down. */
function awaitGuest(
  vm: VSphereVM,
  state: MachineState,
  { changes, session }: ConnectedScope,
): void {
  changes.await(objectKeyOf(vm), session.stream, {
    object: state.machine,
    paths: powerPaths,
    isOver: (properties) => {
      const now = guestStateOf(properties);
      return now.isOn !== state.isOn || now.canShutDown !== state.canShutDown;
    },
  });
}

export type PowerOffStep =
  /** Power off. */
  | { readonly do: "cut" }
  /** Ask the guest to shut down. */
  | { readonly do: "ask" }
  /** The guest was asked: wait, at most for these seconds. */
  | { readonly do: "wait"; readonly seconds: number }
  /** The guest cannot be asked, and nothing else may be done. */
  | { readonly do: "refuse" };

const defaultTimeout = "5m";
/** The delay of a retry in case that the notification of a change gets lost, in seconds. */
const longWait = 120;

/** The next step to power off a running machine, by the mode of its spec. */
export function nextPowerOffStep(
  { spec, status }: Pick<VSphereVM, "spec" | "status">,
  { canShutDown }: Pick<MachineState, "canShutDown">,
  now: Date,
): PowerOffStep {
  const { powerOffMode: mode = "hard", guestSoftPowerOffTimeout = defaultTimeout } = spec;
  const asked = status?.guestSoftPowerOffRequestedAt;
  if (mode === "hard") return { do: "cut" };
  if (asked === undefined) {
    if (canShutDown) return { do: "ask" };
    return { do: mode === "trySoft" ? "cut" : "refuse" };
  }
  if (mode === "soft") return { do: "wait", seconds: longWait };
  const timeout = durationToMilliseconds(parseDuration(guestSoftPowerOffTimeout));
  const left = parseTime(asked).getTime() + timeout - now.getTime();
  return left > 0 ? { do: "wait", seconds: Math.min(left / 1000, longWait) } : { do: "cut" };
}
