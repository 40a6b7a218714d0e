import { type CelType, DYN, ERROR } from "../cel-type.ts";
import { LIBRARY_TYPES } from "../functions/library.ts";
import type { Declarations } from "./checked.ts";
import { isDynOrError, type TypeBindings } from "./type-bindings.ts";

interface Part {
  readonly type: CelType;
  readonly problem?: string;
}

interface Entries {
  readonly key: CelType;
  readonly value: CelType;
  readonly problem?: string;
}

/** The types of fields and entries; also returned beside a problem, to continue with. */
export class PartTypes {
  readonly #bindings: TypeBindings;
  readonly #declarations: Declarations;

  constructor(bindings: TypeBindings, declarations: Declarations) {
    this.#bindings = bindings;
    this.#declarations = declarations;
  }

  fieldOf(target: CelType, name: string): Part {
    switch (target.kind) {
      case "map":
        return { type: target.param(1) };
      case "struct": {
        const type = this.#declarations.field(target, name);
        if (type) return { type };
        const problem = LIBRARY_TYPES.has(target.name)
          ? `unexpected failed resolution of '${target.name}'`
          : `undefined field '${name}'`;
        return { type: ERROR, problem };
      }
      case "typeParam":
        this.#bindings.isAssignable([DYN], [target]);
        return { type: DYN };
      default:
        if (isDynOrError(target)) return { type: DYN };
        return { type: DYN, problem: `type '${target}' does not support field selection` };
    }
  }

  /** The entries that a comprehension over the range visits. */
  entriesOf(range: CelType): Entries {
    switch (range.kind) {
      case "list":
        return { key: range.param(0), value: range.param(0) };
      case "map":
        return { key: range.param(0), value: range.param(1) };
      case "dyn":
      case "error":
      case "typeParam":
        this.#bindings.isAssignable([DYN], [range]);
        return { key: DYN, value: DYN };
      default: {
        const problem = `expression of type '${range}' cannot be range of a comprehension (must be list, map, or dynamic)`;
        return { key: ERROR, value: ERROR, problem };
      }
    }
  }
}
