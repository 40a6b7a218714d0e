import type { ManagedObjectReference } from "./managed-object.ts";
import type { Properties } from "./properties.ts";
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

export function isTaskOver({ state }: TaskInfo): boolean {
  return state === "success" || state === "error";
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
