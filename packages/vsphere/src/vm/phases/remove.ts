import type { VSphereVM } from "@rookery/api";
import type { Result } from "@rookery/runtime";
import type { Session } from "../../sessions/session.ts";
import { destroy } from "../../vim/virtual-machine.ts";
import { findMachine, readMachine } from "../machine-state.ts";
import { assertOwner } from "../ownership.ts";
import type { VmDependencies } from "../scope.ts";
import { rememberTask, settleTask } from "../tasks.ts";
import { takePowerOffStep } from "./power-off.ts";

/** Takes the next step towards a machine that is gone: power off as its spec says, destroy. */
export async function retire(
  object: VSphereVM,
  session: Session,
  dependencies: VmDependencies,
): Promise<Result | "gone"> {
  const world = { ...dependencies, session };
  const { waiting, vm } = await settleTask(object, world);
  if (waiting) return waiting;
  const found = await findMachine(session.vcenter, vm);
  if (!found) return "gone";
  const state = await readMachine(session.vcenter, found.machine);
  assertOwner(vm, { ...state, ...found }, dependencies);
  if (state.isOn) return takePowerOffStep(vm, state, world);
  return rememberTask(vm, await destroy(session.vcenter, found.machine), world);
}
