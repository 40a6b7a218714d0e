import type { ReasonOf } from "./conditions.ts";

/** Something stands in the way of a control plane; the reason becomes that of its condition. */
export class ControlPlaneError extends Error {
  override readonly name = "ControlPlaneError";
  readonly code = "ControlPlane";
  readonly reason: ReasonOf<"NestedControlPlane">;

  constructor(reason: ReasonOf<"NestedControlPlane">, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.reason = reason;
  }
}

/** A range of addresses that is none. */
export class ServiceRangeError extends Error {
  override readonly name = "ServiceRangeError";
  readonly code = "ServiceRange";
  readonly range: string;

  constructor(range: string, why: string) {
    super(
      `could not use ${JSON.stringify(range)} for Services: ${why}; give ranges such as 10.96.0.0/12`,
    );
    this.range = range;
  }
}

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
export class ComponentError extends Error {
  override readonly name = "ComponentError";
  readonly code = "Component";
  readonly reason: ComponentReason;

  constructor(reason: ComponentReason, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.reason = reason;
  }
}

/** An etcd member did not do what it was asked. */
export class EtcdRequestError extends Error {
  override readonly name = "EtcdRequestError";
  readonly code = "EtcdRequest";
  readonly path: string;
  /** As gRPC numbers them; undefined where the member did not answer. */
  readonly grpcCode: number | undefined;

  constructor(path: string, why: string, options: ErrorOptions & { grpcCode?: number } = {}) {
    super(`could not ask an etcd member for ${path}: ${why}`, options);
    this.path = path;
    this.grpcCode = options.grpcCode;
  }
}
