import { defineError } from "@rookery/errors";
import type { ReasonOf } from "./conditions.ts";

/** Something stands in the way of a control plane; the reason becomes that of its condition. */
export class ControlPlaneError extends defineError(
  "ControlPlane",
  (reason: ReasonOf<"NestedControlPlane">, message: string, options?: ErrorOptions) => ({
    message,
    reason,
    ...options,
  }),
) {}

/** A range of addresses that is none. */
export class ServiceRangeError extends defineError(
  "ServiceRange",
  (range: string, why: string) => ({
    message: `could not use ${JSON.stringify(range)} for Services: ${why}; give ranges such as 10.96.0.0/12`,
    range,
  }),
) {}

/** Why a component cannot become what its spec says. */
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

/** A component cannot become what its spec says, or not yet; the reason becomes that of a condition. */
export class ComponentError extends defineError(
  "Component",
  (reason: ComponentReason, message: string, options?: ErrorOptions) => ({
    message,
    reason,
    ...options,
  }),
) {}

/** An etcd member did not do what it was asked. */
export class EtcdRequestError extends defineError(
  "EtcdRequest",
  (path: string, why: string, options: ErrorOptions & { grpcCode?: number } = {}) => ({
    message: `could not ask an etcd member for ${path}: ${why}`,
    path,
    /** As gRPC numbers them; undefined where the member did not answer. */
    grpcCode: options.grpcCode,
    cause: options.cause,
  }),
) {}
