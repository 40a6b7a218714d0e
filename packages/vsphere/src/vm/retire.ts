import type { VSphereVM } from "@rookery/api";
import type { Result } from "@rookery/runtime";
import type { Session } from "../sessions/session.ts";
import { destroy, powerOff } from "../vim/virtual-machine.ts";
import { findMachine, readMachine } from "./machine-state.ts";
import type { VmDependencies } from "./scope.ts";
import { rememberTask, settleTask } from "./tasks.ts";

/** Takes the next step towards a machine that is gone: power off, destroy. */
export async function retire(
  object: VSphereVM,
  session: Session,
  dependencies: VmDependencies,
): Promise<Result | "gone"> {
  const world = { ...dependencies, session };
  const { waiting, vm } = await settleTask(object, world);
  if (waiting) return waiting;
  const machine = await findMachine(session.vcenter, vm);
  if (!machine) return "gone";
  const { isOn } = await readMachine(session.vcenter, machine);
  const task = await (isOn ? powerOff : destroy)(session.vcenter, machine);
  return rememberTask(vm, task, world);
}
