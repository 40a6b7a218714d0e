import { quote } from "../go/quote.ts";
import { renderValue } from "../go/value.ts";
import type { FieldPath } from "./path.ts";

/** Why a field is invalid; also the `reason` of the cause in a Status. */
export type FieldErrorType =
  | "FieldValueNotFound"
  | "FieldValueRequired"
  | "FieldValueDuplicate"
  | "FieldValueInvalid"
  | "FieldValueNotSupported"
  | "FieldValueForbidden"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "FieldValueTypeInvalid"
  | "InternalError";

const titles: Readonly<Record<FieldErrorType, string>> = {
  FieldValueNotFound: "Not found",
  FieldValueRequired: "Required value",
  FieldValueDuplicate: "Duplicate value",
  FieldValueInvalid: "Invalid value",
  FieldValueNotSupported: "Unsupported value",
  FieldValueForbidden: "Forbidden",
  FieldValueTooLong: "Too long",
  FieldValueTooMany: "Too many",
  FieldValueTypeInvalid: "Invalid value",
  InternalError: "Internal error",
};

/** The types whose message does not show the value. */
const silent: ReadonlySet<FieldErrorType> = new Set([
  "FieldValueRequired",
  "FieldValueForbidden",
  "FieldValueTooLong",
  "InternalError",
]);

/** A bad value that the message must not show. */
export const omitValue: unique symbol = Symbol("omitValue");

/** A path, or one that was already printed. */
type Field = FieldPath | string;

/** One problem of one field, with the message of Kubernetes' field.Error. */
export class FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  readonly badValue: unknown;
  readonly detail: string;

  constructor(type: FieldErrorType, field: Field, problem: { badValue?: unknown; detail: string }) {
    this.type = type;
    this.field = field.toString();
    this.badValue = problem.badValue;
    this.detail = problem.detail;
  }

  /** Without the field: `Invalid value: "x": must be …`. */
  get body(): string {
    const title = titles[this.type];
    const shown = !silent.has(this.type) && this.badValue !== omitValue;
    const head = shown ? `${title}: ${renderValue(this.badValue)}` : title;
    return this.detail === "" ? head : `${head}: ${this.detail}`;
  }

  /** With the field: `spec.name: Invalid value: "x": must be …`. */
  toString(): string {
    return `${this.field}: ${this.body}`;
  }

  static typeInvalid(field: Field, badValue: unknown, detail: string): FieldError {
    return new FieldError("FieldValueTypeInvalid", field, { badValue, detail });
  }

  static notFound(field: Field, badValue: unknown): FieldError {
    return new FieldError("FieldValueNotFound", field, { badValue, detail: "" });
  }

  static required(field: Field, detail: string): FieldError {
    return new FieldError("FieldValueRequired", field, { badValue: "", detail });
  }

  static duplicate(field: Field, badValue: unknown): FieldError {
    return new FieldError("FieldValueDuplicate", field, { badValue, detail: "" });
  }

  static invalid(field: Field, badValue: unknown, detail: string): FieldError {
    return new FieldError("FieldValueInvalid", field, { badValue, detail });
  }

  static notSupported(field: Field, badValue: unknown, supported: readonly string[]): FieldError {
    const values = supported.map(quote).join(", ");
    const detail = values === "" ? "" : `supported values: ${values}`;
    return new FieldError("FieldValueNotSupported", field, { badValue, detail });
  }

  static forbidden(field: Field, detail: string): FieldError {
    return new FieldError("FieldValueForbidden", field, { badValue: "", detail });
  }

  /** A negative `maxBytes` leaves the limit out of the message. */
  static tooLong(field: Field, maxBytes: number): FieldError {
    const limit = `may not be more than ${maxBytes} ${maxBytes === 1 ? "byte" : "bytes"}`;
    const detail = maxBytes < 0 ? "value is too long" : limit;
    return new FieldError("FieldValueTooLong", field, { badValue: "<value omitted>", detail });
  }

  /** A negative `actual` or `max` is left out of the message. */
  static tooMany(field: Field, actual: number, max: number): FieldError {
    const limit = `must have at most ${max} ${max === 1 ? "item" : "items"}`;
    const detail = max < 0 ? "has too many items" : limit;
    const badValue = actual < 0 ? omitValue : actual;
    return new FieldError("FieldValueTooMany", field, { badValue, detail });
  }

  static internal(field: Field, error: Error): FieldError {
    return new FieldError("InternalError", field, { detail: error.message });
  }
}

/** The total limit: each item of a list may show the whole list, which is quadratic. */
const maxShown = 64 * 1024;

/** The first errors up to the limit, and the number of omitted ones. */
export function shownErrors(errors: readonly FieldError[]): {
  readonly shown: readonly ShownError[];
  readonly omitted: number;
} {
  const shown: ShownError[] = [];
  let characters = 0;
  for (const { type, field, body } of errors) {
    shown.push({ type, field, body });
    characters += field.length + body.length;
    if (characters > maxShown) break;
  }
  return { shown, omitted: errors.length - shown.length };
}

export interface ShownError {
  readonly type: FieldErrorType;
  readonly field: string;
  readonly body: string;
}

/** All messages as one: `a` for one, `[a, b]` for several different ones, "" for none. */
export function aggregateMessages(errors: readonly FieldError[]): string {
  return joinMessages(shownErrors(errors));
}

export function joinMessages({ shown, omitted }: ReturnType<typeof shownErrors>): string {
  const messages = [...new Set(shown.map(({ field, body }) => `${field}: ${body}`))];
  if (omitted > 0) messages.push(`${omitted} more`);
  return messages.length > 1 ? `[${messages.join(", ")}]` : (messages[0] ?? "");
}
