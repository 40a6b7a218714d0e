import { CelType, DYN, listOf, mapOf, NULL, typeOfType } from "../cel-type.ts";

/** The types bound to type parameters. A failed unification changes nothing. */
export class TypeBindings {
  readonly #bound = new Map<string, CelType>();
  /** The previous binding of each change in the current attempt. */
  #replaced: [string, CelType | undefined][] = [];

  bind(parameter: string, type: CelType): void {
    this.#replaced.push([parameter, this.#bound.get(parameter)]);
    this.#bound.set(parameter, type);
  }

  /** Whether `from` is assignable to `to`; binds parameters if so. */
  isAssignable(from: readonly CelType[], to: readonly CelType[]): boolean {
    this.#replaced = [];
    const assignable = this.#assignAll(from, to);
    if (!assignable) this.#undo();
    return assignable;
  }

  #undo(): void {
    for (const [parameter, previous] of this.#replaced.reverse()) {
      if (previous) this.#bound.set(parameter, previous);
      else this.#bound.delete(parameter);
    }
  }

  /** Replaces bound parameters, and free ones by dyn on request. */
  substitute(type: CelType, freeToDyn: boolean): CelType {
    const bound = type.kind === "typeParam" ? this.#bound.get(type.name) : undefined;
    if (bound) return this.substitute(bound, freeToDyn);
    if (type.kind === "typeParam") return freeToDyn ? DYN : type;
    if (type.params.length === 0) return type;
    const params = type.params.map((param) => this.substitute(param, freeToDyn));
    return rebuild(type, params);
  }

  #assignAll(from: readonly CelType[], to: readonly CelType[]): boolean {
    return from.length === to.length && from.every((type, i) => this.#assign(type, to[i] ?? DYN));
  }

  #assign(a: CelType, b: CelType): boolean {
    if (b.kind === "typeParam") {
      const { valid, wasBound } = this.#bindTo(a, b);
      if (valid || wasBound) return valid;
    }
    if (a.kind === "typeParam") return this.#bindTo(b, a).valid;
    if (isDynOrError(a) || isDynOrError(b)) return true;
    if (a.kind === "null") return isNullable(b);
    if (b.kind === "null") return isNullable(a);
    return this.#assignConcrete(a, b);
  }

  #assignConcrete(a: CelType, b: CelType): boolean {
    switch (a.kind) {
      case "type":
        return b.kind === "type";
      case "list":
      case "map":
      case "opaque":
        return a.kind === b.kind && a.name === b.name && this.#assignAll(a.params, b.params);
      default:
        return a.isExactly(b);
    }
  }

  #bindTo(type: CelType, parameter: CelType): { valid: boolean; wasBound: boolean } {
    if (type.isExactly(parameter)) return { valid: true, wasBound: true };
    const bound = this.#bound.get(parameter.name);
    if (!bound) {
      const valid = !this.#mentions(parameter, type);
      if (valid) this.bind(parameter.name, type);
      return { valid, wasBound: false };
    }
    if (type.isExactly(bound)) return { valid: true, wasBound: true };
    if (!this.#assign(type, bound)) return { valid: false, wasBound: true };
    const general = mostGeneral(type, bound);
    if (!this.#mentions(parameter, general)) this.bind(parameter.name, general);
    return { valid: true, wasBound: true };
  }

  #mentions(parameter: CelType, type: CelType): boolean {
    if (parameter.isExactly(type)) return true;
    if (type.kind === "typeParam") {
      const bound = this.#bound.get(type.name);
      return bound !== undefined && this.#mentions(parameter, bound);
    }
    return type.params.some((param) => this.#mentions(parameter, param));
  }
}

function rebuild(type: CelType, params: readonly CelType[]): CelType {
  const [first = DYN, second = DYN] = params;
  if (type.kind === "list") return listOf(first);
  if (type.kind === "map") return mapOf(first, second);
  if (type.kind === "type") return typeOfType(first);
  return new CelType(type.kind, type.name, params);
}

export function isDynOrError(type: CelType): boolean {
  return type.kind === "dyn" || type.kind === "error";
}

function isNullable({ kind }: CelType): boolean {
  return kind === NULL.kind || ["opaque", "struct", "duration", "timestamp"].includes(kind);
}

/** The more general of two types that are assignable to each other. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return saysNoMoreThan(a, b) ? a : b;
}

function saysNoMoreThan(a: CelType, b: CelType): boolean {
  if (a.kind === "dyn" || a.kind === "typeParam") return true;
  if (b.kind === "dyn" || b.kind === "typeParam" || a.kind !== b.kind) return false;
  if (a.kind === "type") return true;
  if (a.params.length === 0) return a.isExactly(b);
  const sameShape = a.name === b.name && a.params.length === b.params.length;
  return sameShape && a.params.every((param, i) => saysNoMoreThan(param, b.param(i)));
}
