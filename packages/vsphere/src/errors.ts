import { defineError } from "@rookery/errors";
import { remoteText } from "@rookery/http";
import type { ManagedObjectReference } from "./vim/managed-object.ts";

/** The key in the configuration of a virtual machine with the namespace that the machine was made for. */
export const ownerKey = "rookery.namespace";

/** The vCenter refused a call. The fault is its name of the reason: InvalidLogin, NotAuthenticated … */
export class VimFaultError extends defineError(
  "VimFault",
  (method: string, fault: string, why: string) => {
    const reason = remoteText(why) || "no reason was given";
    return {
      message: `could not call ${method}: ${reason} (${remoteText(fault, 64)})`,
      method,
      fault,
    };
  },
) {}

/** The server sent an answer that no vCenter sends. */
export class UnexpectedAnswerError extends defineError(
  "UnexpectedAnswer",
  (method: string, why: string, options?: ErrorOptions) => ({
    message: `could not read the answer to ${method}: ${remoteText(why)}`,
    method,
    ...options,
  }),
) {}

/** Neither an authority nor a thumbprint is configured. A certificate is never left unverified. */
export class TrustMissingError extends defineError(
  "TrustMissing",
  (server: string) =>
    `could not connect to ${server}: neither an authority nor a thumbprint is given to know it by; set one of them`,
) {}

/** The name of a server that cannot be one. */
export class InvalidServerError extends defineError(
  "InvalidServer",
  (server: string) =>
    `could not connect to ${JSON.stringify(server)}: it must be a host name or an address, with a port where it is not 443`,
) {}

/** The address of a server is closed. The message omits the address: the tenant who named the server reads it. */
export class AddressNotAllowedError extends defineError(
  "AddressNotAllowed",
  (host: string) =>
    `could not connect to ${host}: its address is closed to servers that nobody lists`,
) {}

interface Fault {
  readonly fault: string;
  readonly message: string;
}

/** A task ended with a fault. */
export class TaskFailedError extends defineError(
  "TaskFailed",
  (task: ManagedObjectReference, operation: string, why: Fault) => ({
    message: `could not finish ${remoteText(operation, 64)}: ${remoteText(why.message)} (${remoteText(why.fault, 64)})`,
    task,
    operation,
    fault: why.fault,
  }),
) {}

/** Whether an error is a fault of that name, of a call or of a task. */
export function isFault(error: unknown, fault: string): boolean {
  const isKnown = error instanceof VimFaultError || error instanceof TaskFailedError;
  return isKnown && error.fault === fault;
}

/**
 * The vCenter did not accept the credentials. The manager waits before it sends them again, so that no account
 * is locked; other credentials are tried at once.
 */
export class InvalidCredentialsError extends defineError(
  "InvalidCredentials",
  (
    server: string,
    username: string,
    { afterMs, ...options }: ErrorOptions & { readonly afterMs: number },
  ) => ({
    message: `could not log in to ${server} as ${username}: the user name or the password is wrong; they are tried again in ${Math.ceil(afterMs / 1000)} s, and at once when they change`,
    server,
    retryAfterMs: afterMs,
    ...options,
  }),
) {}

/** The calls of one reconcile took too long together, however short each of them was. */
export class VCenterTimeoutError extends defineError(
  "VCenterTimeout",
  (server: string, milliseconds: number) =>
    `could not finish the work on ${server}: it took more than ${milliseconds / 1000} s`,
) {}

/** The session manager is closed. */
export class SessionsClosedError extends defineError(
  "SessionsClosed",
  () => "could not get a session: the manager is stopping",
) {}

export type IdentityReason =
  | "IdentityNotFound"
  | "IdentityNotReady"
  | "NamespaceNotAllowed"
  | "ServerNotAllowed"
  | "SecretNotAvailable"
  | "SecretNotAllowed"
  | "SecretAlreadyInUse";

/** A cluster cannot use the account that it names; the reason becomes that of its condition. */
export class IdentityError extends defineError(
  "Identity",
  (reason: IdentityReason, message: string) => ({ message, reason }),
) {}

/** The vCenter has no object that a field of a spec names, or several. */
export class PlacementError extends defineError(
  "Placement",
  (field: string, value: string, why: string) => ({
    message: `could not find what spec.${field} names, ${JSON.stringify(value)}: ${why}`,
    field,
  }),
) {}

/** The file with the authorities of vCenters holds no certificates. */
export class AuthoritiesFileError extends defineError(
  "AuthoritiesFile",
  (path: string, why: string) =>
    `could not use --vcenter-ca-file=${path}: ${why}; give a file with certificates in PEM`,
) {}

/** A request to the REST API of a vCenter failed. */
export class RestRequestError extends defineError(
  "RestRequest",
  (path: string, why: string, options?: ErrorOptions) => ({
    message: `could not use ${path} of the vCenter: ${why}`,
    path,
    ...options,
  }),
) {}

/** Tags are not on the vCenter, or may not be attached. */
export class TagsError extends defineError("Tags", (tagIds: readonly string[], why: string) => ({
  message: `could not attach the tags of spec.tagIDs: ${remoteText(why)}`,
  tagIds,
})) {}

/** A virtual machine that existed is gone. A new one would be another machine. */
export class VirtualMachineGoneError extends defineError(
  "VirtualMachineGone",
  (biosUuid: string) => ({
    message: `could not find the virtual machine with the BIOS UUID ${biosUuid}: it was removed from the vCenter; delete its Machine, so that another takes its place`,
    biosUuid,
  }),
) {}

/** A spec names a virtual machine by its UUID, and nothing shows that the machine is the namespace's. */
export class ForeignMachineError extends defineError(
  "ForeignMachine",
  (biosUuid: string, namespace: string) => ({
    message: `could not use the virtual machine with the BIOS UUID ${biosUuid}: it was not made for the namespace ${namespace}; an administrator sets ${ownerKey} = ${namespace} in its configuration on the vCenter, or starts the manager with --adopt-virtual-machines`,
    biosUuid,
  }),
) {}
