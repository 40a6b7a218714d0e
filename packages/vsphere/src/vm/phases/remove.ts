import type { VSphereVM } from "@rookery/api";
import type { Outcome } from "@rookery/runtime";
import { destroy } from "../../vim/virtual-machine.ts";
import { findMachine, readMachine } from "../machine-state.ts";
import { assertOwner } from "../ownership.ts";
import type { ConnectedScope } from "../scope.ts";
import { rememberTask, settleTask } from "../tasks.ts";
import { powerOffMachine } from "./power-off.ts";

/** Takes the next step of the removal: power off as the spec says, destroy. */
export async function removeMachine(
  object: VSphereVM,
  scope: ConnectedScope,
): Promise<Outcome<VSphereVM> | "removed"> {
  const { vcenter } = scope.session;
  const { waiting, vm } = await settleTask(object, scope);
  if (waiting) return waiting;
  const found = await findMachine(vcenter, vm);
  if (!found) return "removed";
  const state = await readMachine(vcenter, found.machine);
  assertOwner(vm, { ...state, ...found }, scope);
  if (state.isOn) return powerOffMachine(vm, state, scope);
  return rememberTask(vm, await destroy(vcenter, found.machine), scope);
}
