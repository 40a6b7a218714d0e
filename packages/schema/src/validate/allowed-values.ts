import { deepEqualJson, isInt64, type JSONValue } from "../json.ts";

/** The values of an enum, with fast lookup for many values. */
export class AllowedValues {
  readonly #simple: ReadonlySet<JSONValue>;
  readonly #composed: readonly JSONValue[];
  readonly #values: readonly JSONValue[];
  #names: readonly string[] | undefined;
  #problem: string | undefined;

  constructor(values: readonly JSONValue[]) {
    const isComposed = (value: JSONValue) => typeof value === "object" && value !== null;
    this.#values = values;
    this.#simple = new Set(values.filter((value) => !isComposed(value)));
    this.#composed = values.filter(isComposed);
  }

  has(value: JSONValue): boolean {
    if (this.#simple.has(value)) return true;
    if (typeof value === "number") return this.#hasWhole(Math.trunc(value));
    if (typeof value !== "object") return false;
    return this.#composed.some((each) => deepEqualJson(value, each));
  }

  /** A number is converted to the type of the allowed one first, so that 1.5 passes for 1. */
  #hasWhole(value: number): boolean {
    return isInt64(value) && this.#simple.has(value);
  }

  get names(): readonly string[] {
    this.#names ??= this.#values.map((each) =>
      typeof each === "string" ? each : JSON.stringify(each),
    );
    return this.#names;
  }

  get problem(): string {
    this.#problem ??= `should be one of [${this.names.join(" ")}]`;
    return this.#problem;
  }
}
