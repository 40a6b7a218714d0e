import { defineError } from "@rookery/errors";
import type { ReasonOf } from "./conditions.ts";

/** A control plane cannot be provisioned yet; the reason becomes that of its condition. */
export class ControlPlaneError extends defineError(
  "ControlPlane",
  (reason: ReasonOf<"NestedControlPlane">, message: string, options?: ErrorOptions) => ({
    message,
    reason,
    ...options,
  }),
) {}

/** An invalid range of addresses. */
export class ServiceRangeError extends defineError(
  "ServiceRange",
  (range: string, why: string) => ({
    message: `could not use ${JSON.stringify(range)} for Services: ${why}; give ranges such as 10.96.0.0/12`,
    range,
  }),
) {}

export type ComponentReason =
  | "UnknownChannel"
  | "PatchRefused"
  | "NotAllowed"
  | "ObjectTaken"
  | "ApplyRefused"
  | "VersionNotAvailable"
  | "VersionSkew"
  | "WaitingForEtcd"
  | "WaitingForAPIServer"
  | "WaitingForCertificates";

/** A component cannot match its spec now; the reason becomes that of a condition. */
export class ComponentError extends defineError(
  "Component",
  (reason: ComponentReason, message: string, options?: ErrorOptions) => ({
    message,
    reason,
    ...options,
  }),
) {}

/** A request to an etcd member failed. */
export class EtcdRequestError extends defineError(
  "EtcdRequest",
  (path: string, why: string, options: ErrorOptions & { grpcCode?: number } = {}) => ({
    message: `could not ask an etcd member for ${path}: ${why}`,
    path,
    /** The gRPC code of the member's answer. */
    grpcCode: options.grpcCode,
    cause: options.cause,
  }),
) {}
