import { RequestError, ThumbprintMismatchError } from "@rookery/http";
import { CircuitOpenError } from "@rookery/runtime";
import {
  IdentityError,
  type IdentityReason,
  InvalidCredentialsError,
  InvalidServerError,
  TrustMissingError,
  UnexpectedAnswerError,
  VCenterTimeoutError,
  VimFaultError,
} from "../errors.ts";

/** Why a cluster is not ready. */
type ClusterReason =
  | IdentityReason
  | "InvalidCredentials"
  | "VCenterUnreachable"
  | "ThumbprintMismatch"
  | "TrustMissing"
  | "ServerMissing";

export interface Failure {
  readonly reason: ClusterReason;
  readonly message: string;
  /** When trying again makes sense, in seconds; absent where only a change helps. */
  readonly retryAfter?: number;
}

/** Soon enough for a vCenter that comes back, rarely enough for one that does not. */
const retryAfter = 30;

/** What an error means for a cluster; undefined where it is not about the cluster. */
export function failureOf(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { message } = error;
  if (error instanceof IdentityError) return { reason: error.reason, message };
  if (error instanceof TrustMissingError) return { reason: "TrustMissing", message };
  if (error instanceof InvalidServerError) return { reason: "ServerMissing", message };
  if (error instanceof InvalidCredentialsError) {
    return { reason: "InvalidCredentials", message, retryAfter: error.retryAfterMs / 1000 };
  }
  if (error instanceof RequestError) return connectionFailure(error);
  if (error instanceof CircuitOpenError) {
    return { reason: "VCenterUnreachable", message, retryAfter: error.retryAfterMs / 1000 };
  }
  if (isStrangeAnswer(error)) {
    return { reason: "VCenterUnreachable", message, retryAfter };
  }
  return undefined;
}

function connectionFailure(error: RequestError): Failure {
  const isOther = error.cause instanceof ThumbprintMismatchError;
  const reason = isOther ? "ThumbprintMismatch" : "VCenterUnreachable";
  return { reason, message: error.message, retryAfter };
}

/** What no vCenter says to whoever logs in, or not in time. */
function isStrangeAnswer(error: Error): boolean {
  const isTooMuch = error instanceof VCenterTimeoutError || error instanceof UnexpectedAnswerError;
  return isTooMuch || error instanceof VimFaultError;
}
