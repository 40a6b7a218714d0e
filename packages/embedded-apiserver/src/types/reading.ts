import { DecodeError, type NumberLiterals } from "@rookery/apiserver";
import type { GoType } from "./go-types.ts";

/** A field of a struct, a key of a map, or an index of a list. */
export type Step = StructStep | string | number;

export interface StructStep {
  readonly json: string;
  /** The struct without its package: "DeploymentSpec". */
  readonly owner: string;
}

const maxUnknown = 100;

/**
 * The state of decoding one body. Like Go, decoding continues after a value of the wrong type and reports
 * the first one at the end. Errors of types with their own UnmarshalJSON end it at once.
 */
export class Reading {
  /** Whether empty lists and maps are kept; Protobuf does not store them. */
  readonly keepsEmpty: boolean;
  readonly #path: Step[] = [];
  readonly #unknownFields = new Set<string>();
  /** Types with their own UnmarshalJSON do not report unknown fields. */
  #lenient = 0;
  readonly #literals: NumberLiterals | undefined;
  #problem: string | undefined;
  /** The literal of the current number, if JavaScript would format it differently. */
  literal: string | undefined;

  constructor(keepsEmpty: boolean, literals?: NumberLiterals) {
    this.keepsEmpty = keepsEmpty;
    this.#literals = literals;
  }

  /** Enters a field, key or item of a value. */
  enter(step: Step, holder: object, key: string | number): void {
    this.#path.push(step);
    if (this.#literals) this.literal = this.#literals.get(holder)?.get(String(key));
  }

  leave(): void {
    this.#path.pop();
  }

  /** Runs `read` without reporting unknown fields. */
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

  /** Reports a value of the wrong type. Decoding continues. */
  mismatch(value: string, type: string): undefined {
    this.#problem ??= this.#describe(value, type);
  }

  problem(message: string): undefined {
    this.#problem ??= message;
  }

  /** Like `mismatch`, for types with their own UnmarshalJSON, which end the decoding. */
  fail(value: string, type: string): never {
    throw new DecodeError(this.#describe(value, type));
  }

  /** Returns the paths of unknown fields. Throws a DecodeError for the first problem. */
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

/** The name of the type of a JSON value in Go's errors. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}

/** Decodes a non-null value to what Go would encode; undefined after a problem. */
export type Read = (value: unknown, reading: Reading) => unknown;

export type MakeRead = (type: GoType) => Read;
