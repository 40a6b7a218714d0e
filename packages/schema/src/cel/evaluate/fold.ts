import type { Comprehension } from "../syntax/ast.ts";
import { CelError, CelList, CelMap, typeOf, type Value } from "../values/value.ts";
import { GrowingList } from "../values/value-list.ts";
import { GrowingMap } from "../values/value-map.ts";
import { Scope, type Step } from "./scope.ts";

export interface FoldSteps {
  readonly range: Step;
  readonly init: Step;
  readonly condition: Step;
  readonly step: Step;
  readonly result: Step;
}

/** Evaluates a comprehension, which all macros over lists and maps expand to. */
export function fold(expr: Comprehension, steps: FoldSteps): Step {
  return (scope) => {
    const range = steps.range(scope);
    if (range instanceof CelError) return range;
    const loop = new LoopScope(scope, expr, steps.init);
    if (!(range instanceof CelList || range instanceof CelMap)) return notIterable(range);
    for (const [first, second] of entriesOf(range, expr.iterVar2 !== undefined)) {
      loop.iterate(first, second);
      const goOn = steps.condition(loop);
      if (typeof goOn === "boolean" && !goOn) break;
      loop.accumulate(steps.step(loop));
    }
    return freeze(steps.result(loop.forResult()));
  };
}

/** One variable is the element or the key; two are index and element, or key and value. */
function* entriesOf(range: CelList | CelMap, two: boolean): Iterable<readonly [Value, Value]> {
  if (range instanceof CelList) {
    for (let i = 0; i < range.size; i++) {
      const element = range.at(i);
      yield two ? [BigInt(i), element] : [element, element];
    }
    return;
  }
  for (const key of range.keys()) yield [key, two ? (range.find(key) ?? null) : null];
}

function notIterable(value: Value): CelError {
  const { name } = typeOf(value);
  const goType = `types.${(name.split(".").at(-1) ?? name).replace(/^./, (c) => c.toUpperCase())}`;
  return new CelError(`got '${goType}', expected iterable type`);
}

/** A value that a loop built in place becomes immutable outside of the loop. */
function freeze(value: Value): Value {
  return value instanceof GrowingList || value instanceof GrowingMap ? value.freeze() : value;
}

class LoopScope extends Scope {
  readonly #outer: Scope;
  readonly #expr: Comprehension;
  readonly #init: Step;
  #first: Value = null;
  #second: Value = null;
  #accumulator: Value | undefined;
  #inResult = false;

  constructor(outer: Scope, expr: Comprehension, init: Step) {
    super(outer.meter);
    this.#outer = outer;
    this.#expr = expr;
    this.#init = init;
  }

  iterate(first: Value, second: Value): void {
    this.#first = first;
    this.#second = second;
  }

  accumulate(value: Value): void {
    this.#accumulator = value;
  }

  forResult(): LoopScope {
    this.#inResult = true;
    return this;
  }

  find(name: string): Value | undefined {
    if (name === this.#expr.accuVar) return this.#accumulated();
    if (!this.#inResult) {
      if (name === this.#expr.iterVar) return this.#first;
      if (name === this.#expr.iterVar2) return this.#second;
    }
    return this.#outer.find(name);
  }

  /** Initialized on first access, so that unused accumulators cost nothing. */
  #accumulated(): Value {
    if (this.#accumulator === undefined) {
      const initial = this.#init(this.#outer);
      this.#accumulator = growing(initial);
    }
    return this.#accumulator;
  }
}

function growing(initial: Value): Value {
  if (initial instanceof CelList && initial.size === 0) return new GrowingList();
  return initial instanceof CelMap && initial.size === 0 ? new GrowingMap() : initial;
}
