import type { Job } from "@rookery/api";
import { compileSelector } from "@rookery/kube";
import type { Field } from "../meta/field.ts";

const prefix = "batch.kubernetes.io/";
const controllerUid = "controller-uid";
const jobName = "job-name";
/** The labels without a prefix are from older versions. */
const nameLabels = [jobName, prefix + jobName];
const uidLabels = [controllerUid, prefix + controllerUid];

/** Adds unique labels to the pods of a job, and a selector for them to the job. */
export function generateSelector(job: Job): void {
  const { metadata = {}, spec = {} } = job;
  if (spec.manualSelector) return;
  spec.template ??= {};
  spec.template.metadata ??= {};
  spec.template.metadata.labels = { ...generatedLabels(job), ...spec.template.metadata.labels };
  spec.selector ??= {};
  spec.selector.matchLabels ??= {};
  spec.selector.matchLabels[prefix + controllerUid] ??= metadata.uid ?? "";
}

function generatedLabels({ metadata = {} }: Job): Record<string, string> {
  const { name = "", uid = "" } = metadata;
  return Object.fromEntries([
    ...nameLabels.map((key) => [key, name]),
    ...uidLabels.map((key) => [key, uid]),
  ]);
}

/** Go: validateGeneratedSelector. Labels of the client have to equal the generated ones. */
export function generatedSelector(job: Job, field: Field): void {
  const { spec = {} } = job;
  if (spec.manualSelector || spec.selector === undefined) return;
  const expected = generatedLabels(job);
  const labels = spec.template?.metadata?.labels ?? {};
  for (const key of [controllerUid, jobName, prefix + controllerUid, prefix + jobName]) {
    const at = field.child("spec", "template", "metadata", "labels").key(key);
    const detail = `must be '${expected[key]}'`;
    if (!Object.hasOwn(labels, key)) at.required(detail);
    else if (labels[key] !== expected[key]) at.invalid(labels, detail);
  }
  if (compileSelector(spec.selector)?.matches(expected) !== false) return;
  field.child("spec", "selector").invalid(spec.selector, "`selector` not auto-generated");
}

/** A job without labels gets those of its pods, with the generated ones. */
export function takeTemplateLabels(job: Job): void {
  const labels = job.spec?.template?.metadata?.labels;
  job.metadata ??= {};
  if (!labels || hasLabels(job)) return;
  job.metadata.labels = { ...labels };
}

function hasLabels({ metadata }: Job): boolean {
  return Object.keys(metadata?.labels ?? {}).length > 0;
}

/**
 * The creator of a job without labels manages those that the job takes from its template, because
 * kube-apiserver copies them before it tracks fields. Generated labels have no manager.
 */
export function manageTemplateLabels(job: Job): void {
  const labels = Object.keys(job.spec?.template?.metadata?.labels ?? {});
  const fields = job.metadata?.managedFields?.[0]?.fieldsV1 as Fields | undefined;
  if (labels.length === 0 || hasLabels(job) || !fields) return;
  const managed = [".", ...labels.sort().map((label) => `f:${label}`)].map((key) => [key, {}]);
  fields["f:metadata"] = { ...fields["f:metadata"], "f:labels": Object.fromEntries(managed) };
}

type Fields = Record<string, Record<string, unknown>>;
