import { deepEqualJson } from "../../json-object.ts";
import type { JSONValue } from "../../json-schema-props.ts";
import { opaqueType } from "../check/cel-type.ts";
import { Opaque } from "../values/opaque.ts";
import type { Value } from "../values/value.ts";

const UNKNOWN = opaqueType("unknown");

/** Data without a type, preserved as unknown: rules can compare it and nothing else. */
export class PreservedValue extends Opaque {
  readonly type = UNKNOWN;
  readonly #data: JSONValue;

  constructor(data: JSONValue) {
    super();
    this.#data = data;
  }

  equals(other: Value): boolean {
    return other instanceof PreservedValue && deepEqualJson(this.#data, other.#data);
  }
}
