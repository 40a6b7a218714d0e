import { RequestError, type RequestErrorCode } from "@rookery/http";
import { UnexpectedAnswerError, VCenterTimeoutError } from "../errors.ts";

/** Not TLS: what a cluster trusts is its own affair, and says nothing of the server. */
const failures: ReadonlySet<RequestErrorCode> = new Set([
  "ConnectionRefused",
  "ConnectFailed",
  "TimedOut",
  "DeadlineExceeded",
  "AnswerTooLarge",
  "ConnectionLost",
  "InvalidResponse",
]);

/** Whether an error says that a server fails, rather than that it refuses somebody. */
export function isServerFailure(error: unknown): boolean {
  if (error instanceof RequestError) return failures.has(error.code);
  return error instanceof UnexpectedAnswerError || error instanceof VCenterTimeoutError;
}
