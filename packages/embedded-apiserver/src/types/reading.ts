import { DecodeError, type NumberLiterals } from "@rookery/apiserver";
import type { GoType } from "./go-types.ts";

/** Where a reader is: in a field of a struct, at a key of a map, or at an item of a list. */
export type Step = StructStep | string | number;

export interface StructStep {
  readonly json: string;
  /** The struct that it is read in, without its package: "DeploymentSpec". */
  readonly owner: string;
}

const maxUnknown = 100;

/**
 * One body that is read. Go goes on after a value of another type and tells the first such one at
 * the end, unless a value that reads itself has failed before: that ends it at once.
 */
export class Reading {
  /** Whether empty lists and maps stay: those of kinds that are stored as Protobuf do not. */
  readonly keepsEmpty: boolean;
  readonly #path: Step[] = [];
  readonly #unknownFields = new Set<string>();
  /** Inside of a type that reads itself nobody looks for unknown fields. */
  #lenient = 0;
  readonly #literals: NumberLiterals | undefined;
  #problem: string | undefined;
  /** How the number that is read was written, where that is not how JavaScript writes it. */
  literal: string | undefined;

  constructor(keepsEmpty: boolean, literals?: NumberLiterals) {
    this.keepsEmpty = keepsEmpty;
    this.#literals = literals;
  }

  /** Goes into a part of a holder, that it has by this key. */
  enter(step: Step, holder: object, key: string | number): void {
    this.#path.push(step);
    if (this.#literals) this.literal = this.#literals.get(holder)?.get(String(key));
  }

  leave(): void {
    this.#path.pop();
  }

  /** Reads what `read` reads without an eye for unknown fields. */
  leniently<T>(read: () => T): T {
    this.#lenient++;
    const result = read();
    this.#lenient--;
    return result;
  }

  unknown(name: string): void {
    if (this.#lenient > 0 || this.#unknownFields.size >= maxUnknown) return;
    const inside = this.#path.reduce<string>(joinStep, "");
    this.#unknownFields.add(inside === "" ? name : `${inside}.${name}`);
  }

  /** A value that the type does not take; the reading goes on, for nothing. */
  mismatch(value: string, type: string): undefined {
    this.#problem ??= this.#describe(value, type);
  }

  problem(message: string): undefined {
    this.#problem ??= message;
  }

  /** As `mismatch`, from a type that reads itself. */
  fail(value: string, type: string): never {
    throw new DecodeError(this.#describe(value, type));
  }

  /** The paths of what was not known, once all was read. Throws a DecodeError for what was wrong. */
  finish(): readonly string[] {
    if (this.#problem !== undefined) throw new DecodeError(this.#problem);
    return [...this.#unknownFields];
  }

  #describe(value: string, type: string): string {
    const steps = this.#path.filter((step) => typeof step === "object");
    const owner = steps.at(-1)?.owner;
    const where = owner
      ? `struct field ${owner}.${steps.map(({ json }) => json).join(".")}`
      : "value";
    return `json: cannot unmarshal ${value} into Go ${where} of type ${type}`;
  }
}

function joinStep(path: string, step: Step): string {
  if (typeof step === "number") return `${path}[${step}]`;
  const name = typeof step === "string" ? step : step.json;
  return path === "" ? name : `${path}.${name}`;
}

/** What Go calls a value in its errors. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}

/** Makes of a value, never null, what Go would write after it read it; undefined after a problem. */
export type Read = (value: unknown, reading: Reading) => unknown;

export type MakeRead = (type: GoType) => Read;
