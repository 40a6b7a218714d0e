import type { VSphereVM } from "@rookery/api";
import { objectKeyOf } from "@rookery/kube";
import { type Result, requeueAfter } from "@rookery/runtime";
import { isFault, TaskFailedError } from "../errors.ts";
import type { Session } from "../sessions/session.ts";
import {
  formatReference,
  type ManagedObjectReference,
  parseReference,
} from "../vim/managed-object.ts";
import { retrieveProperties } from "../vim/properties.ts";
import { isTaskOver, type TaskInfo, taskInfoOf, taskPaths } from "../vim/tasks.ts";
import type { VmDependencies } from "./scope.ts";

/** In case that the end of a task is not heard of, in seconds. */
const longWait = 120;

/** Where tasks are started. */
export interface TaskWorld extends VmDependencies {
  readonly session: Session;
}

/** Remembers a task in the status, and waits for its end. */
export async function rememberTask(
  vm: VSphereVM,
  task: ManagedObjectReference,
  world: TaskWorld,
): Promise<Result> {
  const status = { ...vm.status, taskRef: formatReference(task) };
  await world.commit(vm, { ...vm, status });
  awaitTask(vm, task, world);
  return requeueAfter(longWait);
}

/**
 * Looks after the task that an object remembers. Returns what to do while it is under way; undefined
 * where there is none, with the object as it is then. Errors: TaskFailedError, once.
 */
export async function settleTask(
  vm: VSphereVM,
  world: TaskWorld,
): Promise<{ readonly waiting?: Result; readonly vm: VSphereVM }> {
  const task = parseReference(vm.status?.taskRef ?? "");
  if (!task) return { vm };
  const info = await readTask(world.session, task);
  if (info && !isTaskOver(info)) {
    awaitTask(vm, task, world);
    return { waiting: requeueAfter(longWait), vm };
  }
  const { taskRef: _, ...status } = vm.status ?? {};
  const settled = await world.commit(vm, { ...vm, status });
  if (info?.fault) throw new TaskFailedError(task, info.operation, info.fault);
  return { vm: settled };
}

/** Undefined where the vCenter has forgotten it. */
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
  { session, changes }: Pick<VmDependencies, "changes"> & { readonly session: Session },
): void {
  changes.await(objectKeyOf(vm), session.stream, {
    object: task,
    paths: taskPaths,
    isOver: (properties) => isTaskOver(taskInfoOf(task, properties)),
  });
}
