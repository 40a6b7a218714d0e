import type { LabelSelector, PodTemplateSpec } from "@rookery/api";
import type { TableColumn } from "@rookery/apiserver";
import { compileSelector, formatSelector, isEmptySelector, percentOf } from "@rookery/kube";
import { isSpecChanged, kindNames, type ScaleRules } from "../declaration/kind.ts";
import { forbidden, labelSelector, nonNegative, oneOf } from "../meta/checks.ts";
import { wideColumns } from "../meta/columns.ts";
import { optional, required } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import type { IntOrString } from "../meta/int-or-percent.ts";
import { type FieldRules, type Rule, type Rules, ruleOf } from "../meta/rules.ts";
import { podTemplateDefaults } from "../pod-spec/defaults.ts";
import { dropDisabledFields } from "../pod-spec/disabled-fields.ts";
import { podTemplateWarnings } from "../pod-spec/warnings.ts";

interface WorkloadSpec {
  selector?: LabelSelector;
  template?: PodTemplateSpec;
}

interface Workload<S extends WorkloadSpec = WorkloadSpec> {
  spec?: S;
}

/** The declarations that the kinds of the group share. */
export function workload(kind: string, plural: string, shortName: string) {
  return {
    ...kindNames("apps", kind, plural),
    namespaced: true,
    shortNames: [shortName],
    categories: ["all"],
    isNewGeneration: isSpecChanged,
  };
}

/** Sets the defaults of the template, and returns the spec. */
export function workloadDefaults<S extends WorkloadSpec>(object: Workload<S>): S {
  object.spec ??= {} as S;
  const { spec } = object;
  // The decoder writes null for an absent selector.
  if (spec.selector === null) delete spec.selector;
  spec.template ??= {};
  podTemplateDefaults(spec.template);
  return spec;
}

type Limit = number | string;

interface RollingStrategy {
  type?: string;
  rollingUpdate?: { maxUnavailable?: Limit; maxSurge?: Limit };
}

/** The limits only have defaults if the strategy is RollingUpdate. */
export function rollingUpdateDefaults(
  strategy: RollingStrategy,
  limits: { readonly maxUnavailable: Limit; readonly maxSurge: Limit },
): void {
  strategy.type ||= "RollingUpdate";
  if (strategy.type !== "RollingUpdate") return;
  strategy.rollingUpdate = { ...limits, ...strategy.rollingUpdate };
}

export function dropDisabledTemplateFields({ spec }: Workload): void {
  dropDisabledFields(spec?.template?.spec);
}

/** A selector that is set and not empty; `kind` is the name of the workload in the error. */
export function selectorOf(kind: string): Rule<LabelSelector | undefined> {
  return required<LabelSelector>([labelSelector, notEmpty(kind)]);
}

/** A selector with at least one requirement. */
export function notEmpty(kind: string): Rule<LabelSelector | undefined> {
  return optional((selector, field) => {
    if (isEmptySelector(selector)) field.invalid(selector, `empty selector is invalid for ${kind}`);
  });
}

/** The selector has to match the labels of the template, unless the selector is empty. */
export function selectedTemplate(spec: WorkloadSpec, field: Field): void {
  if (compileSelector(spec.selector)?.isEmpty === false) matchedTemplate(spec, field);
}

/** The same where an empty selector matches nothing. */
export function matchedTemplate({ selector, template }: WorkloadSpec, field: Field): void {
  const compiled = compileSelector(selector);
  const labels = template?.metadata?.labels;
  if (compiled === undefined || compiled.matches(labels ?? {})) return;
  const detail = "`selector` does not match template `labels`";
  field.child("template", "metadata", "labels").invalid(labels ?? null, detail);
}

/** The template of pods that run until they are deleted. */
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

interface ReplicaStatus {
  readonly replicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
}

/** Counts that must not exceed `replicas`, and available ones that must not exceed the ready ones. */
export function replicaCounts<T extends ReplicaStatus>(
  names: readonly (keyof T & string)[],
  readyName = "readyReplicas",
): Rules<T> {
  return [
    ...names.map((name) => atMost<T>(name, "replicas", "status.replicas")),
    atMost<T>("availableReplicas", "readyReplicas", readyName),
  ];
}

function atMost<T extends object>(name: keyof T & string, limit: keyof T, limitName: string) {
  return (status: T, field: Field) => {
    const [value, max] = [Number(status[name] ?? 0), Number(status[limit] ?? 0)];
    if (value > max) field.child(name).invalid(value, `cannot be greater than ${limitName}`);
  };
}

/** The number of name collisions must not decrease, and stays set. */
export const collisionCount: Rule<number | undefined> = (count, field) => {
  const old = field.old as number | undefined;
  if (old === undefined || (count !== undefined && count >= old)) return;
  field.invalid(count ?? 0, "cannot be decremented");
};

/** Go: getIntOrPercentValue. A number or the number of a percentage; 0 for any other text. */
export function amountOf(value: IntOrString): number {
  if (typeof value === "number") return value;
  return percentOf(value) ?? (/^[+-]?\d+$/.test(value) ? Number(value) : 0);
}

/** Rules for new objects, and for updates for which `isChanged` returns true. */
export function ifChanged<T extends object>(
  isChanged: (object: T, old: T) => boolean,
  rules: Rules<T>,
): Rule<T> {
  const rule = ruleOf(rules);
  return (object, field) => {
    if (field.old === undefined || isChanged(object, field.old as T)) rule(object, field);
  };
}

export const templateWarnings = ruleOf<Workload>({ spec: { template: podTemplateWarnings } });

interface Scalable {
  spec?: { replicas?: number; selector?: LabelSelector };
  status?: { replicas?: number };
}

/** The scale subresource of a workload. */
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

/** The names and images of the containers of a template, in wide output. */
export function containerColumns<T extends object>(
  template: (object: T) => PodTemplateSpec | undefined,
): TableColumn[] {
  const containers = (object: T) => template(object)?.spec?.containers ?? [];
  const join = (texts: readonly (string | undefined)[]) => texts.join(",");
  return wideColumns<T>({
    Containers: (object) => join(containers(object).map(({ name }) => name)),
    Images: (object) => join(containers(object).map(({ image }) => image)),
  });
}

/** The same and the selector. */
export function workloadColumns<T extends object>(
  specOf: (object: T) => WorkloadSpec | undefined,
): TableColumn[] {
  return [
    ...containerColumns<T>((object) => specOf(object)?.template),
    ...wideColumns<T>({ Selector: (object) => formatSelector(specOf(object)?.selector) }),
  ];
}
