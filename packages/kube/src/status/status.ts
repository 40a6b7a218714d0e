import { defineError } from "@rookery/errors";
import type { ListMeta } from "../object/object.ts";

/** The reasons of Kubernetes, with their HTTP status. */
export const reasons = {
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  AlreadyExists: 409,
  Conflict: 409,
  Gone: 410,
  Invalid: 422,
  ServerTimeout: 500,
  StorageReadError: 500,
  Timeout: 504,
  TooManyRequests: 429,
  BadRequest: 400,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
  InternalError: 500,
  Expired: 410,
  ServiceUnavailable: 503,
} as const;

export type KnownReason = keyof typeof reasons;

/** Servers may send reasons that are not listed here. */
export type StatusReason = KnownReason | (string & {});

/** `reason` is the type of the cause, such as "FieldValueInvalid". */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  /** The kind or the resource of the request. */
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

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

/** A failure with a Status. The message is that of the Status. */
export class StatusError extends defineError(
  "Status",
  (status: Status, options?: ErrorOptions) => ({
    message: status.message ?? "",
    status,
    ...options,
  }),
) {
  /** "" where the server sent none. */
  get reason(): StatusReason {
    return this.status.reason ?? "";
  }

  /** 0 where the server sent none. */
  get httpStatus(): number {
    return this.status.code ?? 0;
  }
}

/** The variable parts of a failure; empty ones are left out, as in Kubernetes. */
export interface Failure {
  readonly code: number;
  readonly reason: StatusReason;
  readonly message: string;
  readonly details?: StatusDetails;
}

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
