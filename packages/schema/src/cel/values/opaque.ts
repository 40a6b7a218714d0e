import type { CelType } from "../cel-type.ts";
import type { Meter } from "../meter.ts";
import type { CelError } from "./cel-error.ts";
import type { Value } from "./value.ts";

/** A value of a Kubernetes library: a quantity, an address, a URL. */
export abstract class Opaque {
  abstract readonly type: CelType;

  abstract equals(other: Value, meter: Meter): boolean | CelError;

  /** Only addresses have one; it decides what comparing them costs. */
  get size(): number | undefined {
    return undefined;
  }
}
