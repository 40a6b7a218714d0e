import { TaskFailedError } from "../errors.ts";
import type { ManagedObjectReference } from "./managed-object.ts";
import type { Properties } from "./properties.ts";
import type { PropertyStream } from "./property-stream.ts";
import { childOf, referenceOf, textAt, textOf, typeOf, type XmlNode } from "./xml-reader.ts";

type TaskState = "queued" | "running" | "success" | "error";

/** The state of a task. */
export interface TaskInfo {
  readonly task: ManagedObjectReference;
  /** Such as "VirtualMachine.clone". */
  readonly operation: string;
  readonly state: TaskState;
  /** In percent; absent where the vCenter does not report it. */
  readonly progress?: number;
  /** The object that was made, where the task makes one. */
  readonly result?: ManagedObjectReference;
  readonly fault?: { readonly fault: string; readonly message: string };
}

export const taskPaths = [
  "info.descriptionId",
  "info.state",
  "info.progress",
  "info.result",
  "info.error",
];

interface WaitForTaskOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (info: TaskInfo) => void;
}

/**
 * Waits until a task has ended, and returns what it made. To stop waiting does not stop the task.
 * Errors: TaskFailedError; ManagedObjectNotFound where the vCenter no longer knows the task.
 */
export async function waitForTask(
  stream: PropertyStream,
  task: ManagedObjectReference,
  { signal, onProgress }: WaitForTaskOptions = {},
): Promise<ManagedObjectReference | undefined> {
  signal?.throwIfAborted();
  const ended = Promise.withResolvers<TaskInfo>();
  const watching = await stream.watch({
    object: task,
    paths: taskPaths,
    onChange: (properties) => {
      const info = taskInfoOf(task, properties);
      onProgress?.(info);
      if (isTaskOver(info)) ended.resolve(info);
    },
    onEnd: ended.reject,
  });
  const abort = () => ended.reject(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    return resultOf(await ended.promise);
  } finally {
    signal?.removeEventListener("abort", abort);
    // What it is about is known: that the vCenter could not be told to forget the filter is not.
    await watching.stop().catch(() => {});
  }
}

export function isTaskOver({ state }: TaskInfo): boolean {
  return state === "success" || state === "error";
}

/** Of a task that has ended. Throws TaskFailedError. */
function resultOf({ task, operation, fault, result }: TaskInfo) {
  if (fault) throw new TaskFailedError(task, operation, fault);
  return result;
}

/** Reads the properties at `taskPaths`. */
export function taskInfoOf(task: ManagedObjectReference, properties: Properties): TaskInfo {
  const state = textOf(properties.get("info.state"));
  const progress = textOf(properties.get("info.progress"));
  const result = referenceOf(properties.get("info.result"));
  const error = properties.get("info.error");
  return {
    task,
    operation: textOf(properties.get("info.descriptionId")) ?? "the task",
    state: isTaskState(state) ? state : "queued",
    ...(progress && { progress: Number(progress) }),
    ...(result && { result }),
    ...(state === "error" && { fault: faultOf(error) }),
  };
}

function faultOf(error: XmlNode | undefined) {
  const fault = typeOf(childOf(error, "fault")) ?? "unknown";
  return { fault, message: textAt(error, "localizedMessage") || fault };
}

function isTaskState(state: string | undefined): state is TaskState {
  return state === "queued" || state === "running" || state === "success" || state === "error";
}
