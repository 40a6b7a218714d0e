import { defineError } from "@rookery/errors";
import type { ListMeta } from "../object/object.ts";

/** Why a request failed. A server may give reasons that are not listed here. */
export type StatusReason =
  | "Unauthorized"
  | "Forbidden"
  | "NotFound"
  | "AlreadyExists"
  | "Conflict"
  | "Gone"
  | "Invalid"
  | "ServerTimeout"
  | "StorageReadError"
  | "Timeout"
  | "TooManyRequests"
  | "BadRequest"
  | "MethodNotAllowed"
  | "NotAcceptable"
  | "RequestEntityTooLarge"
  | "UnsupportedMediaType"
  | "InternalError"
  | "Expired"
  | "ServiceUnavailable"
  | (string & {});

/** `reason` is the type of the cause, such as "FieldValueInvalid". */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  /** The kind, or the resource, that the request was about. */
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** A metav1.Status: what Kubernetes answers when there is no object to answer with. */
export interface Status {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: ListMeta;
  readonly status?: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: StatusReason;
  readonly details?: StatusDetails;
  readonly code?: number;
}

/** A failure that has a Status, from a server or for a client. Its message is the Status'. */
export class StatusError extends defineError(
  "Status",
  (status: Status, options?: ErrorOptions) => ({
    message: status.message ?? "",
    status,
    ...options,
  }),
) {
  /** "" where the server gave none. */
  get reason(): StatusReason {
    return this.status.reason ?? "";
  }

  /** The HTTP status code; 0 where the server gave none. */
  get httpStatus(): number {
    return this.status.code ?? 0;
  }
}

/** The parts of a failure that differ; what is empty is left out, as Kubernetes leaves it out. */
export interface Failure {
  readonly code: number;
  readonly reason: StatusReason;
  readonly message: string;
  readonly details?: StatusDetails;
}

/** Makes the error of a failure. */
export function statusError(failure: Failure, options?: ErrorOptions): StatusError {
  const { code, reason, message, details } = failure;
  const status: Status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    ...(message !== "" && { message }),
    ...(reason !== "" && { reason }),
    ...(details !== undefined && { details: withoutEmpty(details) }),
    code,
  };
  return new StatusError(status, options);
}

function withoutEmpty(details: StatusDetails): StatusDetails {
  const { name, group, kind, uid, causes, retryAfterSeconds } = details;
  return {
    ...(name && { name }),
    ...(group && { group }),
    ...(kind && { kind }),
    ...(uid && { uid }),
    ...(causes && causes.length > 0 && { causes }),
    ...(retryAfterSeconds && { retryAfterSeconds }),
  };
}
