import type { Job } from "@rookery/api";
import { compileSelector, FieldError, fieldPath } from "@rookery/kube";

const prefix = "batch.kubernetes.io/";
const controllerUid = "controller-uid";
const jobName = "job-name";
/** The labels without a prefix are older and stay. */
const nameLabels = [jobName, prefix + jobName];
const uidLabels = [controllerUid, prefix + controllerUid];

/** Gives the pods of a job labels that no other job has, and the job a selector of them. */
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

/** That labels which a client has set beforehand are the ones that would have been generated. */
export function validateGeneratedSelector(job: Job): FieldError[] {
  const { spec = {} } = job;
  if (spec.manualSelector || spec.selector === undefined) return [];
  const expected = generatedLabels(job);
  const order = [controllerUid, jobName, prefix + controllerUid, prefix + jobName];
  const isForeign = compileSelector(spec.selector)?.matches(expected) === false;
  const detail = "`selector` not auto-generated";
  return [
    ...order.flatMap((key) => validateLabel(job, key, expected[key] ?? "")),
    ...(isForeign
      ? [FieldError.invalid(fieldPath("spec", "selector"), spec.selector, detail)]
      : []),
  ];
}

function validateLabel({ spec }: Job, key: string, expected: string): FieldError[] {
  const labels = spec?.template?.metadata?.labels ?? {};
  const path = fieldPath("spec", "template", "metadata", "labels").key(key);
  const detail = `must be '${expected}'`;
  if (!Object.hasOwn(labels, key)) return [FieldError.required(path, detail)];
  return labels[key] === expected ? [] : [FieldError.invalid(path, labels, detail)];
}
