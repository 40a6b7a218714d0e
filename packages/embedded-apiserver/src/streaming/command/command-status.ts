import { messageOf } from "@rookery/errors";
import { internalError, type Status, StatusError, statusOf } from "@rookery/kube";

export const success: Partial<Status> = { metadata: {}, status: "Success" };

/** The Status of an exit code. */
export function exitStatus(code: number): Partial<Status> {
  if (code === 0) return success;
  return {
    metadata: {},
    status: "Failure",
    message: `command terminated with non-zero exit code: command terminated with exit code ${code}`,
    reason: "NonZeroExitCode",
    details: { causes: [{ reason: "ExitCode", message: String(code) }] },
  };
}

/** The kubelet's prefix of start failures; other errors come before the upgrade. */
const startFailure = /^error (?:executing command in|attaching to) container: /;

/** The Status of a process that could not be started. */
export function refusalStatus(error: unknown): Partial<Status> {
  const words = kubeletWords(error);
  return internal(startFailure.test(words) ? words : `unable to upgrade connection: ${words}`);
}

/** The Status of a process that failed while running. */
export function failureStatus(error: unknown, what: string): Partial<Status> {
  return internal(`${what}: ${kubeletWords(error)}`);
}

function internal(message: string): Partial<Status> {
  const { kind: _, apiVersion: __, ...status } = statusOf(internalError(new Error(message)));
  return status;
}

const internalPrefix = "Internal error occurred: ";

/** The message without an API server's prefix. */
export function kubeletWords(error: unknown): string {
  const message = messageOf(error);
  const isInternal = error instanceof StatusError && message.startsWith(internalPrefix);
  return isInternal ? message.slice(internalPrefix.length) : message;
}
