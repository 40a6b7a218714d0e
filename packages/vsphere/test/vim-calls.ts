/** Calls to a vCenter that only tests and benches need. */
import { TaskFailedError } from "../src/errors.ts";
import type { VCenter } from "../src/vim/connect.ts";
import type { ManagedObjectReference } from "../src/vim/managed-object.ts";
import { readProperties } from "../src/vim/properties.ts";
import type { PropertyStream } from "../src/vim/property-stream.ts";
import { sessionOf, type UserSession } from "../src/vim/session.ts";
import { isTaskOver, type TaskInfo, taskInfoOf, taskPaths } from "../src/vim/tasks.ts";
import { childrenOf } from "../src/vim/xml-reader.ts";
import { value } from "../src/vim/xml-writer.ts";

/** All sessions of the vCenter, for which the account needs a privilege. */
export async function listSessions(vcenter: VCenter): Promise<UserSession[]> {
  const properties = await readProperties(vcenter, vcenter.content.sessionManager, ["sessionList"]);
  return childrenOf(properties.get("sessionList"), "UserSession").map(sessionOf);
}

/** Ends other sessions. */
export async function terminateSessions(vcenter: VCenter, keys: readonly string[]): Promise<void> {
  const self = vcenter.content.sessionManager;
  const args = keys.map((key) => value("sessionId", key));
  await vcenter.call({ method: "TerminateSession", self, args });
}

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
    const { operation, fault, result } = await ended.promise;
    if (fault) throw new TaskFailedError(task, operation, fault);
    return result;
  } finally {
    signal?.removeEventListener("abort", abort);
    // What it is about is known: that the vCenter could not be told to forget the filter is not.
    await watching.stop().catch(() => {});
  }
}
