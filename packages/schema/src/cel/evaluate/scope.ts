import type { Meter } from "../meter.ts";
import type { Value } from "../values/value.ts";

/** The visible variables, and the meter of the evaluation. */
export abstract class Scope {
  readonly meter: Meter;

  constructor(meter: Meter) {
    this.meter = meter;
  }

  abstract find(name: string): Value | undefined;
}

/** The variables of the caller. */
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

export type Step = (scope: Scope) => Value;
