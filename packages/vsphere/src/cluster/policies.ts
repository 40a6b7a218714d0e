import { InvalidThumbprintError, RequestError, ThumbprintMismatchError } from "@rookery/http";
import { CircuitOpenError } from "@rookery/runtime";
import type { ServerUse } from "../credentials/server-rules.ts";
import {
  AddressNotAllowedError,
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
const retrySeconds = 30;

/** A server, as far as what is said of it is concerned. */
export type KnownServer = Pick<ServerUse, "server" | "isListed">;

/** What an error means for a cluster; undefined where it is not about the cluster. */
export function failureOf(error: unknown, known: KnownServer): Failure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { message } = error;
  if (error instanceof IdentityError) return { reason: error.reason, message };
  if (error instanceof TrustMissingError) return { reason: "TrustMissing", message };
  if (error instanceof InvalidThumbprintError) return { reason: "ThumbprintMismatch", message };
  if (error instanceof InvalidServerError) return { reason: "ServerMissing", message };
  if (error instanceof InvalidCredentialsError) {
    return { reason: "InvalidCredentials", message, retryAfter: error.retryAfterMs / 1000 };
  }
  if (isConnectionError(error)) return connectionFailure(error, known);
  return undefined;
}

/** Whether an error is about the way to a server, or about what answers there. */
export function isConnectionError(error: unknown): error is Error {
  return (
    error instanceof RequestError ||
    error instanceof UnexpectedAnswerError ||
    error instanceof VimFaultError ||
    error instanceof VCenterTimeoutError ||
    error instanceof CircuitOpenError ||
    error instanceof AddressNotAllowedError
  );
}

/**
 * What is said of a server is what whoever named it may know. Of one that nobody lists it is always the
 * same, so that nobody learns from a condition what there is in the network of the manager. Nothing of
 * what a server sends is said of any.
 */
function connectionFailure(error: Error, { server, isListed }: KnownServer): Failure {
  const retryAfter = error instanceof CircuitOpenError ? error.retryAfterMs / 1000 : retrySeconds;
  if (!isListed) {
    const message = `could not use ${server}: no vCenter that the thumbprint or an authority fits answers there; the manager's log says more to an administrator`;
    return { reason: "VCenterUnreachable", message, retryAfter };
  }
  if (error.cause instanceof ThumbprintMismatchError) {
    const message = `could not use ${server}: its certificate does not have the thumbprint of the spec; compare it with the vCenter's own, or with what the manager's log says`;
    return { reason: "ThumbprintMismatch", message, retryAfter };
  }
  if (error instanceof CircuitOpenError || error instanceof VCenterTimeoutError) {
    return { reason: "VCenterUnreachable", message: error.message, retryAfter };
  }
  const message = `could not use ${server}: ${whyUnreachable(error)}; the manager's log says more`;
  return { reason: "VCenterUnreachable", message, retryAfter };
}

function whyUnreachable(error: Error): string {
  if (error instanceof VimFaultError) return "it refuses a call";
  if (!(error instanceof RequestError)) return "what answers there is no vCenter";
  switch (error.code) {
    case "ConnectionRefused":
      return "it refuses connections";
    case "TimedOut":
    case "DeadlineExceeded":
      return "it does not answer in time";
    case "TlsFailed":
      return "no authority that the manager knows has signed its certificate for this name";
    case "AnswerTooLarge":
      return "it answers more than the manager reads";
    default:
      return "the connection fails";
  }
}
