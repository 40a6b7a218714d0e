import type { LabelSelector, PodTemplateSpec } from "@rookery/api";
import { compileSelector, isEmptySelector, percentOf } from "@rookery/kube";
import { forbidden, labelSelector, nonNegative, oneOf } from "../meta/checks.ts";
import { optional, required } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import type { IntOrString } from "../meta/int-or-percent.ts";
import { type FieldRules, type Rule, ruleOf } from "../meta/rules.ts";

interface Workload {
  readonly selector?: LabelSelector;
  readonly template?: PodTemplateSpec;
}

/** The decoder writes null for an absent selector. */
export function dropNullSelector(spec: { selector?: LabelSelector | null }): void {
  if (spec.selector === null) delete spec.selector;
}

/** A selector that is set and selects something; `kind` is how Kubernetes calls the workload. */
export function selectorOf(kind: string): Rule<LabelSelector | undefined> {
  return required<LabelSelector>([labelSelector, notEmpty(kind)]);
}

/** A selector with at least one requirement. */
export function notEmpty(kind: string): Rule<LabelSelector | undefined> {
  return optional((selector, field) => {
    if (isEmptySelector(selector)) field.invalid(selector, `empty selector is invalid for ${kind}`);
  });
}

/** The selector has to match the labels of the template, unless it selects everything. */
export function selectedTemplate(workload: Workload, field: Field): void {
  const compiled = compileSelector(workload.selector);
  if (compiled?.isEmpty === false) matchedTemplate(workload, field);
}

/** The same where an empty selector matches nothing. */
export function matchedTemplate({ selector, template }: Workload, field: Field): void {
  const compiled = compileSelector(selector);
  const labels = template?.metadata?.labels;
  if (compiled === undefined || compiled.matches(labels ?? {})) return;
  const detail = "`selector` does not match template `labels`";
  field.child("template", "metadata", "labels").invalid(labels ?? null, detail);
}

/** Pods that run until they are deleted. */
export function lastingPods(kind: string): Rule<PodTemplateSpec | undefined> {
  const rule = ruleOf<PodTemplateSpec>({
    spec: {
      restartPolicy: oneOf("Always"),
      activeDeadlineSeconds: forbidden(`activeDeadlineSeconds in ${kind} is not Supported`),
    },
  });
  return (template, field) => rule({ spec: {}, ...template }, field);
}

/** Counts of a status that must not be negative. */
export function counts<T extends object>(...names: readonly (keyof T)[]): FieldRules<T> {
  const rules = names.map((name) => [name, optional(nonNegative)] as const);
  return Object.fromEntries(rules) as FieldRules<T>;
}

/** A count of a status that must not be above another one, which has a name in the error. */
export function atMostField<T extends object>(
  name: keyof T & string,
  limit: keyof T,
  limitName: string,
): Rule<T> {
  return (status, field) => {
    const [value, max] = [Number(status[name] ?? 0), Number(status[limit] ?? 0)];
    if (value > max) field.child(name).invalid(value, `cannot be greater than ${limitName}`);
  };
}

/** The number of name collisions never decreases, and stays set. */
export const collisionCount: Rule<number | undefined> = (count, field) => {
  const old = field.old as number | undefined;
  if (old === undefined || (count !== undefined && count >= old)) return;
  field.invalid(count ?? 0, "cannot be decremented");
};

/** Go: getIntOrPercentValue. The number, or that of the percentage; 0 for any other text. */
export function amountOf(value: IntOrString): number {
  if (typeof value === "number") return value;
  return percentOf(value) ?? (/^[+-]?\d+$/.test(value) ? Number(value) : 0);
}
