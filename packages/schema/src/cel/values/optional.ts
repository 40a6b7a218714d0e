import type { Value } from "./value.ts";

/** A value that may be absent. */
export class Optional {
  static readonly none = new Optional(undefined);
  readonly value: Value | undefined;

  private constructor(value: Value | undefined) {
    this.value = value;
  }

  static of(value: Value): Optional {
    return new Optional(value);
  }

  get hasValue(): boolean {
    return this.value !== undefined;
  }
}
