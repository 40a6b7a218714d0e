import { FieldError, type FieldPath, quote } from "@rookery/kube";
import type { JSONValue } from "../json.ts";
import type { AllowedValues } from "./allowed-values.ts";
import type { ValuePath } from "./value-path.ts";

export interface Violation {
  readonly message: string;
  toFieldError(root: FieldPath): FieldError;
}

type Make = (path: FieldPath, message: string) => FieldError;

function violation(path: ValuePath, problem: string, make: Make): Violation {
  return worded(path, `${path} in body ${problem}`, make);
}

function worded(path: ValuePath, message: string, make: Make): Violation {
  const fieldOf = (root: FieldPath) => {
    const name = path.toString().replace(/^\./, "");
    return name === "" ? root : root.child(name);
  };
  return { message, toFieldError: (root) => make(fieldOf(root), message) };
}

export function invalid(path: ValuePath, value: unknown, problem: string): Violation {
  return violation(path, problem, (at, message) => FieldError.invalid(at, value, message));
}

/** `found` is the actual type or text. */
export function wrongType(path: ValuePath, expected: string, found: string): Violation {
  return violation(path, `must be of type ${expected}: ${quote(found)}`, (at, message) =>
    FieldError.typeInvalid(at, found, message),
  );
}

export function missing(path: ValuePath): Violation {
  return violation(path, "is required", (at) => FieldError.required(at, ""));
}

export function tooLong(path: ValuePath, max: number): Violation {
  return violation(path, `should be at most ${max} chars long`, (at) =>
    FieldError.tooLong(at, max),
  );
}

export function tooMany(
  path: ValuePath,
  { actual, max }: { readonly actual: number; readonly max: number },
  noun: "items" | "properties",
): Violation {
  const problem = `should have at most ${max} ${noun}`;
  return violation(path, problem, (at) => FieldError.tooMany(at, actual, max));
}

export function notInEnum(path: ValuePath, value: JSONValue, allowed: AllowedValues): Violation {
  return violation(path, allowed.problem, (at) =>
    FieldError.notSupported(at, value, allowed.names),
  );
}

/** The path is only part of the message. */
export function combination(path: ValuePath, problem: string): Violation {
  const message = `${quote(path.toString())} ${problem}`;
  return { message, toFieldError: (root) => FieldError.invalid(root, "", message) };
}

export function multipleOfNotPositive(path: ValuePath, factor: string, value: number): Violation {
  const message = `factor MultipleOf declared for ${path} must be positive: ${factor}`;
  return worded(path, message, (at) => FieldError.invalid(at, value, message));
}

export function forbiddenProperty(path: ValuePath, key: string): Violation {
  const message = `${path}.${key} in body is a forbidden property`;
  return worded(path, message, (at) => FieldError.invalid(at, key, message));
}

/** The limit of reported messages, each of which may be most of the object. */
const maxCharacters = 256 * 1024;

/**
 * The findings of one value. `matches` counts the checks; of several failed alternatives, the one
 * with the most is reported.
 */
export class Findings {
  readonly #violations = new Map<string, Violation>();
  #matches = 0;
  #characters = 0;

  get valid(): boolean {
    return this.#violations.size === 0;
  }

  get matches(): number {
    return this.#matches;
  }

  get violations(): readonly Violation[] {
    return [...this.#violations.values()];
  }

  match(): void {
    this.#matches++;
  }

  /** Ignores repeated messages, and all after the limit. */
  add(violation: Violation): void {
    if (this.#characters > maxCharacters || this.#violations.has(violation.message)) return;
    this.#violations.set(violation.message, violation);
    this.#characters += violation.message.length;
  }

  merge(other: Findings): void {
    for (const violation of other.#violations.values()) this.add(violation);
    this.#matches += other.#matches;
  }

  /** Without violations, but with the number of checks. */
  forgiven(): Findings {
    const findings = new Findings();
    findings.#matches = this.#matches;
    return findings;
  }
}
