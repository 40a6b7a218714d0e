import { messageOf } from "@rookery/errors";
import { internalError, type Status, StatusError, statusOf } from "@rookery/kube";

export const success: Partial<Status> = { metadata: {}, status: "Success" };

/** How a process ended, as clients read it. */
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

/** What a kubelet says of a process that it could not start; anything else it says before a stream. */
const startFailure = /^error (?:executing command in|attaching to) container: /;

/** Why a process could not be talked with. */
export function refusalStatus(error: unknown): Partial<Status> {
  const words = kubeletWords(error);
  return internal(startFailure.test(words) ? words : `unable to upgrade connection: ${words}`);
}

/** What went wrong with a process that ran. */
export function failureStatus(error: unknown, what: string): Partial<Status> {
  return internal(`${what}: ${kubeletWords(error)}`);
}

function internal(message: string): Partial<Status> {
  const { kind: _, apiVersion: __, ...status } = statusOf(internalError(new Error(message)));
  return status;
}

const internalPrefix = "Internal error occurred: ";

/** The message without what an API server puts before it. */
export function kubeletWords(error: unknown): string {
  const message = messageOf(error);
  const isInternal = error instanceof StatusError && message.startsWith(internalPrefix);
  return isInternal ? message.slice(internalPrefix.length) : message;
}
