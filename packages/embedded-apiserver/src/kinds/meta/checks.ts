import type { LabelSelector } from "@rookery/api";
import {
  type FieldError,
  type FieldPath,
  type LabelSelector as KubeLabelSelector,
  validateDns1035Label,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateLabelSelector,
  validateLabels,
  validateLabelValue,
  validatePathSegmentName,
  validateQualifiedName,
} from "@rookery/kube";
import {
  immutableDetail,
  isSameValue,
  negativeDetail,
  notPositiveDetail,
  validateAnnotations,
} from "./field-rules.ts";
import {
  rangeProblem,
  validateConfigMapKey,
  validateEnvVarName,
  validatePortName,
} from "./formats.ts";
import { goStruct } from "./internal-form.ts";
import type { Rule } from "./rules.ts";

/** Rules of single values. An absent value counts as the zero value in Go. */
type TextRule = Rule<string | undefined>;
type NumberRule = Rule<number | undefined>;
type ListRule = Rule<readonly unknown[] | undefined>;

/** A text that one of Kubernetes' functions checks, with one error for each message. */
export function format(problems: (value: string) => readonly string[]): TextRule {
  return (value, field) => {
    const text = value ?? "";
    field.invalidEach(text, problems(text));
  };
}

/** The same with all messages in one error. */
export function joinedFormat(
  problems: (value: string) => readonly string[],
  separator: string,
): TextRule {
  return (value, field) => {
    const found = problems(value ?? "");
    if (found.length > 0) field.invalid(value ?? "", found.join(separator));
  };
}

export const dns1035Label = format(validateDns1035Label);
export const dns1123Label = format(validateDns1123Label);
export const dns1123Subdomain = format(validateDns1123Subdomain);
export const labelValue = format(validateLabelValue);
export const pathSegmentName = format(validatePathSegmentName);
/** A name with an optional prefix, like the key of a label. */
export const qualifiedName = format(validateQualifiedName);

/** Makes a rule of a function that returns errors. */
export function reported<T>(
  validate: (value: T, path: FieldPath) => readonly FieldError[],
): Rule<T | undefined> {
  return (value, field) => {
    if (value !== undefined && value !== null) field.report(validate(value, field.path));
  };
}

export const configMapKey = format(validateConfigMapKey);
export const envVarName = format(validateEnvVarName);
export const portName = format(validatePortName);
export const labelSelector = reported(validateSelector);
export const annotations = reported(validateAnnotations);
export const labels = reported<Readonly<Record<string, string>>>(validateLabels);

export function oneOf(...values: readonly string[]): TextRule {
  return (value, field) => {
    if (!values.includes(value ?? "")) field.notSupported(value ?? "", values);
  };
}

/** A condition of a value, and the message for other values. */
export function must<T>(meets: (value: T) => boolean, detail: string): Rule<T> {
  return (value, field) => {
    if (!meets(value)) field.invalid(value, detail);
  };
}

/** The same of a text. */
export function matches(meets: (value: string) => boolean, detail: string): TextRule {
  return format((value) => (meets(value) ? [] : [detail]));
}

/** Both limits are inclusive. */
export function inRange(min: number, max: number, detail = rangeProblem(min, max)): NumberRule {
  return (value = 0, field) => {
    if (value < min || value > max) field.invalid(value, detail);
  };
}

export const portNumber = inRange(1, 65_535);
export const userId = inRange(0, 2 ** 31 - 1);
export const nonNegative = inRange(0, Number.POSITIVE_INFINITY, negativeDetail);
export const positive = inRange(Number.MIN_VALUE, Number.POSITIVE_INFINITY, notPositiveDetail);

export function atMost(max: number, detail: string): NumberRule {
  return inRange(Number.NEGATIVE_INFINITY, max, detail);
}

export function maxBytes(max: number): TextRule {
  return (value, field) => {
    if (Buffer.byteLength(value ?? "") > max) field.tooLong(max);
  };
}

export function maxItems(max: number): ListRule {
  return (items, field) => {
    const count = items?.length ?? 0;
    if (count > max) field.tooMany(count, max);
  };
}

/** A value that no other item of the list has in this field. */
export const unique: Rule<string | number | undefined> = (value, field) => {
  if (field.isRepeated(value ?? "")) field.duplicate(value ?? "");
};

interface Immutability<T> {
  /** The value in Go of an absent field. */
  readonly zero?: unknown;
  /** Formats the value for the error. */
  readonly show?: (value: T) => unknown;
  readonly detail?: string;
}

/** A field that keeps its stored value (Go: ValidateImmutableField). */
export function immutableWith<T>({
  zero = null,
  show = (value) => value,
  detail = immutableDetail,
}: Immutability<T>): Rule<T | undefined> {
  return (value, field) => {
    const own = value ?? zero;
    if (isSameValue(own, field.old ?? zero)) return;
    field.invalid(own === null ? null : show(own as T), detail);
  };
}

export const immutable: Rule<unknown> = immutableWith({});

/** The same for a struct; the error shows all of its fields. */
export function immutableStruct(
  type: string,
  options: Omit<Immutability<object>, "show"> = {},
): Rule<object | undefined> {
  return immutableWith({ ...options, show: (value) => goStruct(type, value) });
}

/** A field that must not be set here. */
export function forbidden(detail: string): Rule<unknown> {
  return (value, field) => {
    const isSet = Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
    if (isSet) field.forbidden(detail);
  };
}

/** A field that is invalid whenever it is set. */
export function unset(detail: string): Rule<unknown> {
  return (value, field) => {
    if (value !== undefined && value !== null) field.invalid(value, detail);
  };
}

/** Rules that compare the fields of a struct `T`. */
type Condition<T> = (object: T) => boolean;
type Detail<T> = string | ((object: T) => string);

function textOf<T>(detail: Detail<T>, object: T): string {
  return typeof detail === "string" ? detail : detail(object);
}

/** A field that is invalid under a condition of its struct. */
export function invalidIf<T extends object>(
  name: keyof T & string,
  isBroken: Condition<T>,
  detail: Detail<T>,
): Rule<T> {
  return (object, field) => {
    if (isBroken(object)) field.child(name).invalid(object[name] ?? "", textOf(detail, object));
  };
}

/** A field that is forbidden under a condition of its struct. */
export function forbiddenIf<T extends object>(
  name: keyof T & string,
  isBroken: Condition<T>,
  detail: Detail<T>,
): Rule<T> {
  return (object, field) => {
    if (isBroken(object)) field.child(name).forbidden(textOf(detail, object));
  };
}

/** A field that is required under a condition of its struct. */
export function requiredIf<T extends object>(
  name: keyof T & string,
  isMissing: Condition<T>,
  detail: Detail<T> = "",
): Rule<T> {
  return (object, field) => {
    if (isMissing(object)) field.child(name).required(textOf(detail, object));
  };
}

/** The errors of a selector in a spec; an absent one is valid. */
function validateSelector(selector: LabelSelector | undefined, path: FieldPath): FieldError[] {
  const { matchLabels, matchExpressions = [] } = selector ?? {};
  const sorted = Object.entries(matchLabels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const expressions = matchExpressions.map((expression) => ({
    key: "",
    operator: "",
    ...expression,
  }));
  const complete = { matchLabels: Object.fromEntries(sorted), matchExpressions: expressions };
  return validateLabelSelector(complete as KubeLabelSelector, path);
}
