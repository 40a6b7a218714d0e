import { deepEqualJson, type JSONValue } from "../../json.ts";
import { opaqueType } from "../cel-type.ts";
import type { Meter } from "../meter.ts";
import { Opaque, type Value } from "../values/value.ts";

const UNKNOWN = opaqueType("unknown");

/** Data without a type, preserved as unknown: rules can compare it and nothing else. */
export class PreservedValue extends Opaque {
  readonly type = UNKNOWN;
  readonly #data: JSONValue;

  constructor(data: JSONValue) {
    super();
    this.#data = data;
  }

  equals(other: Value, meter: Meter): boolean {
    if (!(other instanceof PreservedValue)) return false;
    return deepEqualJson(this.#data, other.#data, () => meter.work(1));
  }
}
