import type { LabelSelector, PodTemplateSpec } from "@rookery/api";
import type { TableColumn } from "@rookery/apiserver";
import {
  compileSelector,
  fieldPath,
  formatSelector,
  isEmptySelector,
  type ObjectMeta,
  percentOf,
  validateDns1123Label,
} from "@rookery/kube";
import type { ScaleRules } from "../declaration/kind.ts";
import { forbidden, labelSelector, nonNegative, oneOf } from "../meta/checks.ts";
import { column, wide } from "../meta/columns.ts";
import { optional, required } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import type { IntOrString } from "../meta/int-or-percent.ts";
import { type FieldRules, type Rule, ruleOf } from "../meta/rules.ts";
import { podTemplateWarnings } from "../pod-spec/warnings.ts";

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

interface Scalable {
  spec?: { replicas?: number; selector?: LabelSelector };
  status?: { replicas?: number };
}

/** The scale of a workload whose fields have the usual names. */
export function scaleRules<T extends Scalable>(): ScaleRules<T> {
  return {
    specReplicas: ({ spec }) => spec?.replicas ?? 0,
    statusReplicas: ({ status }) => status?.replicas ?? 0,
    selector: ({ spec }) => compileSelector(spec?.selector)?.toString() ?? "",
    setReplicas(object, replicas) {
      object.spec ??= {};
      object.spec.replicas = replicas;
    },
  };
}

/** The name of a workload becomes part of the names of pods, which are names of hosts as well. */
export function podNameWarnings({ metadata }: { metadata?: ObjectMeta }): string[] {
  const problems = validateDns1123Label(metadata?.name ?? "");
  if (problems.length === 0) return [];
  const advice =
    "this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended";
  return [`metadata.name: ${advice}: [${problems.join(" ")}]`];
}

interface Templated {
  readonly spec?: { readonly template?: PodTemplateSpec };
}

export function templateWarnings({ spec }: Templated): string[] {
  return podTemplateWarnings(spec?.template ?? {}, fieldPath("spec", "template"));
}

/** Names and images of the containers of a template, in wide output. */
export function containerColumns<T extends object>(
  template: (object: T) => PodTemplateSpec | undefined,
): TableColumn[] {
  const containers = (object: T) => template(object)?.spec?.containers ?? [];
  return [
    wide(
      column("Containers", "string", (object: T) =>
        containers(object)
          .map(({ name }) => name)
          .join(","),
      ),
    ),
    wide(
      column("Images", "string", (object: T) =>
        containers(object)
          .map(({ image }) => image)
          .join(","),
      ),
    ),
  ];
}

export function selectorColumn<T extends object>(
  selector: (object: T) => LabelSelector | undefined,
): TableColumn {
  return wide(column("Selector", "string", (object: T) => formatSelector(selector(object))));
}
