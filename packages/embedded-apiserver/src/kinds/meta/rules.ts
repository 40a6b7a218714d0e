import { type FieldError, FieldPath } from "@rookery/kube";
import { Field } from "./field.ts";

/** Validates a value and reports errors to its field. `S` is the scope: other values that it needs. */
export type Rule<T, S = unknown> = (value: T, field: Field<S>) => void;

/** A rule, a table of rules by field, or a list of both, in the order of their errors. */
export type Rules<T, S = unknown> = Rule<T, S> | FieldRules<T, S> | readonly Rules<T, S>[];

/** The rules of the fields of a struct, in the order of their errors. */
export type FieldRules<T, S = unknown> = T extends readonly unknown[]
  ? never
  : { readonly [K in keyof T]?: Rules<T[K] | undefined, S> };

/** Compiles rules, so that validation only calls functions. */
export function ruleOf<T, S = unknown>(rules: Rules<T, S>): Rule<T, S> {
  if (isRule(rules)) return rules;
  if (isList(rules)) return sequence(rules.map((each) => ruleOf(each)));
  const entries = Object.entries(rules) as [string, Rules<unknown, S>][];
  const compiled = entries.map(([name, each]) => [name, ruleOf(each)] as const);
  return (value, field) => {
    if (value === undefined || value === null) return;
    for (const [name, rule] of compiled) {
      rule((value as Record<string, unknown>)[name], field.child(name));
    }
  };
}

function isRule<T, S>(rules: Rules<T, S>): rules is Rule<T, S> {
  return typeof rules === "function";
}

function isList<T, S>(rules: Rules<T, S>): rules is readonly Rules<T, S>[] {
  return Array.isArray(rules);
}

function sequence<T, S>(rules: readonly Rule<T, S>[]): Rule<T, S> {
  return (value, field) => {
    for (const rule of rules) rule(value, field);
  };
}

/** The errors of an object; `old` is the stored one in an update. */
export type Validate<T> = (object: T, old?: T) => FieldError[];

/** The `validate` of a kind, made of the rules of its objects. */
export function validator<T extends object>(rules: Rules<T, undefined>): Validate<T> {
  const rule = ruleOf(rules);
  return (object, old) => check(rule, object, { old });
}

interface Checked<S> {
  readonly path?: FieldPath;
  readonly old?: unknown;
  readonly scope?: S;
}

/** The errors of a value at a path. */
export function check<T, S>(
  rule: Rule<T, S>,
  value: T,
  { path = FieldPath.root, old, scope }: Checked<S>,
): FieldError[] {
  const errors: FieldError[] = [];
  rule(value, Field.root({ errors, warnings: [] }, { path, old, scope: scope as S }));
  return errors;
}

/** The warnings about an object; `old` is the stored one in an update. */
export type Warn<T> = (object: T, old?: T) => string[];

/** The `warnings` of a kind, made of the rules that report them. */
export function warner<T extends object>(rules: Rules<T, undefined>): Warn<T> {
  const rule = ruleOf(rules);
  return (object, old) => {
    const warnings: string[] = [];
    const origin = { path: FieldPath.root, old, scope: undefined };
    rule(object, Field.root({ errors: [], warnings }, origin));
    return warnings;
  };
}
