import type { VSphereVM } from "@rookery/api";
import { objectKeyOf } from "@rookery/kube";
import { type Outcome, requeueAfter } from "@rookery/runtime";
import { isFault, TaskFailedError } from "../errors.ts";
import type { Session } from "../sessions/session.ts";
import {
  formatReference,
  type ManagedObjectReference,
  parseReference,
} from "../vim/managed-object.ts";
import { retrieveProperties } from "../vim/properties.ts";
import { isTaskOver, type TaskInfo, taskInfoOf, taskPaths } from "../vim/tasks.ts";
import type { ConnectedScope } from "./scope.ts";

/** The delay of a retry in case that the notification of a task gets lost, in seconds. */
const longWait = 120;

/** The outcome of a phase that started a task: the status refers to the task, whose end starts a reconcile. */
export function rememberTask(
  vm: VSphereVM,
  task: ManagedObjectReference,
  scope: ConnectedScope,
): Outcome<VSphereVM> {
  const status = { ...vm.status, taskRef: formatReference(task) };
  return { object: { ...vm, status }, result: awaitTask(vm, task, scope) };
}

/**
 * Reads the task that the status refers to. `waiting` is the outcome while the task runs; without it, `vm` is the
 * object whose status no longer refers to a task. Errors: TaskFailedError, once.
 */
export async function settleTask(
  vm: VSphereVM,
  scope: ConnectedScope,
): Promise<{ readonly waiting?: Outcome<VSphereVM>; readonly vm: VSphereVM }> {
  const task = parseReference(vm.status?.taskRef ?? "");
  if (!task) return { vm };
  const info = await readTask(scope.session, task);
  if (info && !isTaskOver(info)) {
    return { waiting: { object: vm, result: awaitTask(vm, task, scope) }, vm };
  }
  const { taskRef: _, ...status } = vm.status ?? {};
  const settled = await scope.commit(vm, { ...vm, status });
  if (info?.fault) throw new TaskFailedError(task, info.operation, info.fault);
  return { vm: settled };
}

/** Undefined where the vCenter no longer has the task. */
async function readTask(
  { vcenter }: Session,
  task: ManagedObjectReference,
): Promise<TaskInfo | undefined> {
  try {
    const [read] = await retrieveProperties(vcenter, [task], { paths: taskPaths });
    return read && taskInfoOf(task, read.properties);
  } catch (error) {
    if (isFault(error, "ManagedObjectNotFound")) return undefined;
    throw error;
  }
}

function awaitTask(
  vm: VSphereVM,
  task: ManagedObjectReference,
  { session, changes }: Pick<ConnectedScope, "changes" | "session">,
) {
  changes.await(objectKeyOf(vm), session.stream, {
    object: task,
    paths: taskPaths,
    isOver: (properties) => isTaskOver(taskInfoOf(task, properties)),
  });
  return requeueAfter(longWait);
}
