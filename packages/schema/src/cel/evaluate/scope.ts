import type { Meter } from "../meter.ts";
import type { Value } from "../values/value.ts";

/** The variables that a part of an expression sees, and the meter that counts what it costs. */
export abstract class Scope {
  readonly meter: Meter;

  constructor(meter: Meter) {
    this.meter = meter;
  }

  abstract find(name: string): Value | undefined;
}

/** The variables that the caller binds. */
export class RootScope extends Scope {
  readonly #variables: ReadonlyMap<string, Value>;

  constructor(meter: Meter, variables: ReadonlyMap<string, Value>) {
    super(meter);
    this.#variables = variables;
  }

  find(name: string): Value | undefined {
    return this.#variables.get(name);
  }
}

/** Evaluates one node. */
export type Step = (scope: Scope) => Value;
