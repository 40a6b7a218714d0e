import { type ErrorsOf, errorGuard } from "@rookery/errors";
import { InvalidThumbprintError, RequestError, ThumbprintMismatchError } from "@rookery/http";
import { type Finding, isFalse } from "@rookery/kube";
import { CircuitOpenError, done, type Result, requeueAfter } from "@rookery/runtime";
import type { ServerUse } from "./credentials/server-rules.ts";
import * as errors from "./errors.ts";
import { type IdentityReason, VimFaultError } from "./errors.ts";

/** Why a cluster or a machine is not ready. */
type FailureReason =
  | IdentityReason
  | "InvalidCredentials"
  | "VCenterUnreachable"
  | "ThumbprintMismatch"
  | "TrustMissing"
  | "ServerMissing"
  | "PlacementNotFound"
  | "NotFoundByBIOSUUID"
  | "NotAdopted"
  | "TagsNotAttached"
  | "TaskFailed"
  | "Refused"
  | "ManagerStopping";

export interface Failure extends Finding<FailureReason> {
  /** The delay before the next attempt, in seconds; absent where only a change helps. */
  readonly retryAfter?: number;
}

/** Soon enough for a vCenter that comes back, rarely enough for one that does not. */
const retrySeconds = 30;

/** The interval of retries where something on the vCenter has to change. */
const changeSeconds = 60;

/** When to reconcile an object again after a failure. */
export function retryOf({ retryAfter }: Failure): Result {
  return retryAfter === undefined ? done : requeueAfter(retryAfter);
}

/** The properties of a server that decide what a condition says about it. */
export type KnownServer = Pick<ServerUse, "server" | "isListed">;

/** Every error of this package that a reconcile can end with; that of a flag ends the start. */
type OwnError = Exclude<ErrorsOf<typeof errors>, errors.AuthoritiesFileError>;

/** Errors of others that are about a server. */
type ServerError = RequestError | InvalidThumbprintError | CircuitOpenError;

const isErrorOfPackage = errorGuard(errors);

function isOwnError(error: Error): error is OwnError {
  return isErrorOfPackage(error) && !(error instanceof errors.AuthoritiesFileError);
}

function isServerError(error: Error): error is ServerError {
  return (
    error instanceof RequestError ||
    error instanceof InvalidThumbprintError ||
    error instanceof CircuitOpenError
  );
}

/**
 * The failure of a cluster; undefined of errors that are neither this package's nor about a server. Text from a
 * vCenter is not shown.
 */
export function failureOf(error: unknown, known: KnownServer): Failure | undefined {
  if (!(error instanceof Error)) return undefined;
  if (isServerError(error)) return failureOfServer(error, known);
  return isOwnError(error) ? failureOfOwn(error, known) : undefined;
}

/** The failure of a machine. Its namespace has an account on the vCenter, so faults of the vCenter are shown. */
export function failureOfMachine(error: unknown, known: KnownServer): Failure | undefined {
  if (error instanceof VimFaultError && !isFaultOfLogin(error)) {
    return { ...isFalse("Refused", error.message), retryAfter: changeSeconds };
  }
  return failureOf(error, known);
}

/** Before the login a fault is not shown: the server may be no vCenter at all. */
function isFaultOfLogin({ method }: VimFaultError): boolean {
  return ["RetrieveServiceContent", "Login"].includes(method);
}

function failureOfServer(error: ServerError, known: KnownServer): Failure {
  if (error instanceof InvalidThumbprintError) {
    return isFalse("ThumbprintMismatch", error.message);
  }
  return connectionFailure(error, known);
}

/** Without a default: a new error of this package does not compile before it has a reason. */
function failureOfOwn(error: OwnError, known: KnownServer): Failure {
  const { message } = error;
  switch (error.code) {
    case "Identity":
      return isFalse(error.reason, message);
    case "TrustMissing":
      return isFalse("TrustMissing", message);
    case "InvalidServer":
      return isFalse("ServerMissing", message);
    case "InvalidCredentials":
      return { ...isFalse("InvalidCredentials", message), retryAfter: error.retryAfterMs / 1000 };
    case "VimFault":
    case "UnexpectedAnswer":
    case "VCenterTimeout":
    case "AddressNotAllowed":
      return connectionFailure(error, known);
    case "Placement":
      return { ...isFalse("PlacementNotFound", message), retryAfter: changeSeconds };
    case "ForeignMachine":
      return { ...isFalse("NotAdopted", message), retryAfter: changeSeconds };
    case "VirtualMachineGone":
      return { ...isFalse("NotFoundByBIOSUUID", message), retryAfter: 10 * changeSeconds };
    case "Tags":
      return { ...isFalse("TagsNotAttached", message), retryAfter: changeSeconds };
    case "TaskFailed":
      return { ...isFalse("TaskFailed", message), retryAfter: changeSeconds };
    case "RestRequest":
      return { ...isFalse("Refused", message), retryAfter: changeSeconds };
    case "SessionsClosed":
      return { ...isFalse("ManagerStopping", message), retryAfter: retrySeconds };
  }
}

/** Whether an error is about the connection to a server, or about an answer that is no vCenter's. */
export function isConnectionError(error: unknown): error is Error {
  return (
    error instanceof RequestError ||
    error instanceof errors.UnexpectedAnswerError ||
    error instanceof VimFaultError ||
    error instanceof errors.VCenterTimeoutError ||
    error instanceof CircuitOpenError ||
    error instanceof errors.AddressNotAllowedError
  );
}

/**
 * The message shows what the tenant who named the server may know. For a server that nobody lists the message is
 * always the same, so that a condition does not reveal what is in the network of the manager. No message has text
 * that a server sent.
 */
function connectionFailure(error: Error, { server, isListed }: KnownServer): Failure {
  const retryAfter = error instanceof CircuitOpenError ? error.retryAfterMs / 1000 : retrySeconds;
  if (!isListed) {
    const message = `could not use ${server}: no vCenter that the thumbprint or an authority fits answers there; the manager's log says more to an administrator`;
    return { ...isFalse("VCenterUnreachable", message), retryAfter };
  }
  if (error.cause instanceof ThumbprintMismatchError) {
    const message = `could not use ${server}: its certificate does not have the thumbprint of the spec; compare it with the vCenter's own, or with what the manager's log says`;
    return { ...isFalse("ThumbprintMismatch", message), retryAfter };
  }
  if (error instanceof CircuitOpenError || error instanceof errors.VCenterTimeoutError) {
    return { ...isFalse("VCenterUnreachable", error.message), retryAfter };
  }
  const message = `could not use ${server}: ${whyUnreachable(error)}; the manager's log says more`;
  return { ...isFalse("VCenterUnreachable", message), retryAfter };
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
