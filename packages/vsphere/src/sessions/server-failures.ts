import { RequestError, type RequestErrorCode } from "@rookery/http";
import { UnexpectedAnswerError, VCenterTimeoutError } from "../errors.ts";

/** TLS failures do not count: they depend on the authorities that a cluster trusts. */
const failures: ReadonlySet<RequestErrorCode> = new Set([
  "ConnectionRefused",
  "ConnectFailed",
  "TimedOut",
  "DeadlineExceeded",
  "AnswerTooLarge",
  "ConnectionLost",
  "InvalidResponse",
]);

/** Whether an error shows that a server fails, rather than that it rejects an account. */
export function isServerFailure(error: unknown): boolean {
  if (error instanceof RequestError) return failures.has(error.code);
  return error instanceof UnexpectedAnswerError || error instanceof VCenterTimeoutError;
}
