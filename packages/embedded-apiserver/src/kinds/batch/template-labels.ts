import type { Job } from "@rookery/api";

/** A job without labels has those of its pods, the generated ones too. */
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
 * Whoever creates a job without labels manages those that it takes from its pods: kube-apiserver
 * has them before it takes account. Those that are generated come later and are nobody's.
 */
export function manageTemplateLabels(job: Job): void {
  const labels = Object.keys(job.spec?.template?.metadata?.labels ?? {});
  const fields = job.metadata?.managedFields?.[0]?.fieldsV1 as Fields | undefined;
  if (labels.length === 0 || hasLabels(job) || !fields) return;
  const managed = [".", ...labels.sort().map((label) => `f:${label}`)].map((key) => [key, {}]);
  fields["f:metadata"] = { ...fields["f:metadata"], "f:labels": Object.fromEntries(managed) };
}

type Fields = Record<string, Record<string, unknown>>;
