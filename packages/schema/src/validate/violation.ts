import { FieldError, type FieldPath, quote } from "@rookery/kube";
import type { JSONValue } from "../json.ts";
import type { AllowedValues } from "./allowed-values.ts";
import type { ValuePath } from "./value-path.ts";

/** One thing that is wrong with a value, and how it becomes a field error. */
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

/** Most violations show the value and say what it should be. */
export function invalid(path: ValuePath, value: unknown, problem: string): Violation {
  return violation(path, problem, (at, message) => FieldError.invalid(at, value, message));
}

/** `found` is the type, or the text, that stands where another type is expected. */
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

/** About a combination of schemas; it names the path in its text only. */
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
