import { remoteText } from "@rookery/http";
import type { ManagedObjectReference } from "./vim/managed-object.ts";

/** The key in the configuration of a virtual machine with the namespace that it was made for. */
export const ownerKey = "rookery.namespace";

/** A call that the vCenter refused, as the fault that it named: InvalidLogin, NotAuthenticated … */
export class VimFaultError extends Error {
  override readonly name = "VimFaultError";
  readonly code = "VimFault";
  readonly method: string;
  readonly fault: string;

  constructor(method: string, fault: string, why: string) {
    const reason = remoteText(why) || "no reason was given";
    super(`could not call ${method}: ${reason} (${remoteText(fault, 64)})`);
    this.method = method;
    this.fault = fault;
  }
}

/** An answer that is none of a vCenter. */
export class UnexpectedAnswerError extends Error {
  override readonly name = "UnexpectedAnswerError";
  readonly code = "UnexpectedAnswer";
  readonly method: string;

  constructor(method: string, why: string, options: ErrorOptions = {}) {
    super(`could not read the answer to ${method}: ${remoteText(why)}`, options);
    this.method = method;
  }
}

/** Nothing says how to know the server; its certificate is never left unverified. */
export class TrustMissingError extends Error {
  override readonly name = "TrustMissingError";
  readonly code = "TrustMissing";

  constructor(server: string) {
    super(
      `could not connect to ${server}: neither an authority nor a thumbprint is given to know it by; set one of them`,
    );
  }
}

/** The name of a server that cannot be one. */
export class InvalidServerError extends Error {
  override readonly name = "InvalidServerError";
  readonly code = "InvalidServer";

  constructor(server: string) {
    super(
      `could not connect to ${JSON.stringify(server)}: it must be a host name or an address, with a port where it is not 443`,
    );
  }
}

/** A server whose address is closed to it. What the address is, is not said: whoever named the server reads this. */
export class AddressNotAllowedError extends Error {
  override readonly name = "AddressNotAllowedError";
  readonly code = "AddressNotAllowed";

  constructor(host: string) {
    super(`could not connect to ${host}: its address is closed to servers that nobody lists`);
  }
}

/** A task that ended with a fault. */
export class TaskFailedError extends Error {
  override readonly name = "TaskFailedError";
  readonly code = "TaskFailed";
  readonly task: ManagedObjectReference;
  readonly operation: string;
  readonly fault: string;

  constructor(task: ManagedObjectReference, operation: string, why: Fault) {
    const fault = remoteText(why.fault, 64);
    super(`could not finish ${remoteText(operation, 64)}: ${remoteText(why.message)} (${fault})`);
    this.task = task;
    this.operation = operation;
    this.fault = why.fault;
  }
}

interface Fault {
  readonly fault: string;
  readonly message: string;
}

/** Whether an error is a fault of that name, of a call or of a task. */
export function isFault(error: unknown, fault: string): boolean {
  const isKnown = error instanceof VimFaultError || error instanceof TaskFailedError;
  return isKnown && error.fault === fault;
}

/**
 * The vCenter did not accept the credentials. It is not asked again before some time has passed, so
 * that no account is locked; other credentials are tried at once.
 */
export class InvalidCredentialsError extends Error {
  override readonly name = "InvalidCredentialsError";
  readonly code = "InvalidCredentials";
  readonly server: string;
  readonly retryAfterMs: number;

  constructor(server: string, username: string, retry: ErrorOptions & { afterMs: number }) {
    const seconds = Math.ceil(retry.afterMs / 1000);
    super(
      `could not log in to ${server} as ${username}: the user name or the password is wrong; they are tried again in ${seconds} s, and at once when they change`,
      retry,
    );
    this.server = server;
    this.retryAfterMs = retry.afterMs;
  }
}

/** The calls that one reconcile makes took too long together, however short each of them was. */
export class VCenterTimeoutError extends Error {
  override readonly name = "VCenterTimeoutError";
  readonly code = "VCenterTimeout";

  constructor(server: string, milliseconds: number) {
    super(`could not finish the work on ${server}: it took more than ${milliseconds / 1000} s`);
  }
}

/** No session is given out any more. */
export class SessionsClosedError extends Error {
  override readonly name = "SessionsClosedError";
  readonly code = "SessionsClosed";

  constructor() {
    super("could not get a session: the manager is stopping");
  }
}

export type IdentityReason =
  | "IdentityNotFound"
  | "IdentityNotReady"
  | "NamespaceNotAllowed"
  | "ServerNotAllowed"
  | "SecretNotAvailable"
  | "SecretNotAllowed"
  | "SecretAlreadyInUse";

/** A cluster cannot be made as whom it says; the reason becomes that of its condition. */
export class IdentityError extends Error {
  override readonly name = "IdentityError";
  readonly code = "Identity";
  readonly reason: IdentityReason;

  constructor(reason: IdentityReason, why: string) {
    super(why);
    this.reason = reason;
  }
}

/** What a spec names is not on the vCenter, or it is not clear what it names. */
export class PlacementError extends Error {
  override readonly name = "PlacementError";
  readonly code = "Placement";
  readonly field: string;

  constructor(field: string, value: string, why: string) {
    super(`could not find what spec.${field} names, ${JSON.stringify(value)}: ${why}`);
    this.field = field;
  }
}

/** The file with the authorities of vCenters is not what it should be. */
export class AuthoritiesFileError extends Error {
  override readonly name = "AuthoritiesFileError";
  readonly code = "AuthoritiesFile";

  constructor(path: string, why: string) {
    super(`could not use --vcenter-ca-file=${path}: ${why}; give a file with certificates in PEM`);
  }
}

/** The REST API of a vCenter did not do what it was asked. */
export class RestRequestError extends Error {
  override readonly name = "RestRequestError";
  readonly code = "RestRequest";
  readonly path: string;

  constructor(path: string, why: string, options: ErrorOptions = {}) {
    super(`could not use ${path} of the vCenter: ${why}`, options);
    this.path = path;
  }
}

/** Tags that are not on the vCenter, or may not be attached. */
export class TagsError extends Error {
  override readonly name = "TagsError";
  readonly code = "Tags";
  readonly tagIds: readonly string[];

  constructor(tagIds: readonly string[], why: string) {
    super(`could not attach the tags of spec.tagIDs: ${remoteText(why)}`);
    this.tagIds = tagIds;
  }
}

/** A virtual machine that was there is not there any more; another one would be another machine. */
export class VirtualMachineGoneError extends Error {
  override readonly name = "VirtualMachineGoneError";
  readonly code = "VirtualMachineGone";
  readonly biosUuid: string;

  constructor(biosUuid: string) {
    super(
      `could not find the virtual machine with the BIOS UUID ${biosUuid}: it was removed from the vCenter; delete its Machine, so that another takes its place`,
    );
    this.biosUuid = biosUuid;
  }
}

/** A virtual machine that is named by its UUID, and that nothing shows to be the namespace's. */
export class ForeignMachineError extends Error {
  override readonly name = "ForeignMachineError";
  readonly code = "ForeignMachine";
  readonly biosUuid: string;

  constructor(biosUuid: string, namespace: string) {
    super(
      `could not use the virtual machine with the BIOS UUID ${biosUuid}: it was not made for the namespace ${namespace}; an administrator sets ${ownerKey} = ${namespace} in its configuration on the vCenter, or starts the manager with --adopt-virtual-machines`,
    );
    this.biosUuid = biosUuid;
  }
}
