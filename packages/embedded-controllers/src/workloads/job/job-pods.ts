import type { Container, PodTemplateSpec } from "@rookery/api";
import { ignoreNotFound } from "@rookery/client";
import { kinds } from "../shared/kinds.ts";
import { writerOf } from "../shared/object-writer.ts";
import type { Job, Pod } from "../shared/objects.ts";
import { createPod, deletePod, podOf } from "../shared/pod-control.ts";
import { isReady } from "../shared/pod-state.ts";
import type { Scope } from "../shared/workload-context.ts";
import { failureAnnotations } from "./indexes.ts";
import type { JobDraft } from "./job-draft.ts";
import { indexKey, isTracked, trackingFinalizer } from "./job-state.ts";

const longestPrefix = 58;

/** Creates a pod of the job, for an index where it has some. */
export function createJobPod(draft: JobDraft, index: number | undefined): Promise<void> {
  const { job, scope } = draft;
  const template = trackedTemplate(job);
  if (index === undefined) return createPod(job, podOf(job, template), scope);
  const suffix = `-${index}-`;
  const { name = "" } = job.metadata;
  const generateName = name.slice(0, longestPrefix - suffix.length) + suffix;
  const indexed = indexedTemplate(draft, template, index);
  return createPod(job, podOf(job, indexed, { generateName }), scope);
}

function trackedTemplate({ spec }: Job): PodTemplateSpec {
  const { metadata, ...template } = spec.template ?? {};
  const { finalizers = [] } = metadata ?? {};
  const others = finalizers.filter((each) => each !== trackingFinalizer);
  return { ...template, metadata: { ...metadata, finalizers: [...others, trackingFinalizer] } };
}

function indexedTemplate(
  { job, indexes }: JobDraft,
  { metadata, spec = {} }: PodTemplateSpec,
  index: number,
): PodTemplateSpec {
  const hasOwnLimit = job.spec.backoffLimitPerIndex !== undefined;
  const { initContainers, containers = [] } = spec;
  return {
    metadata: {
      ...metadata,
      labels: { ...metadata?.labels, [indexKey]: String(index) },
      annotations: {
        ...metadata?.annotations,
        [indexKey]: String(index),
        ...(hasOwnLimit && failureAnnotations(job, indexes?.delayed.get(index))),
      },
    },
    spec: {
      ...spec,
      hostname: `${job.metadata.name}-${index}`,
      ...(initContainers && { initContainers: initContainers.map(withIndex) }),
      containers: containers.map(withIndex),
    },
  };
}

/** Adds the variable of the index, unless the container sets it. */
function withIndex(container: Container): Container {
  const name = "JOB_COMPLETION_INDEX";
  const { env = [] } = container;
  if (env.some((variable) => variable.name === name)) return container;
  const fieldPath = `metadata.labels['${indexKey}']`;
  return { ...container, env: [...env, { name, valueFrom: { fieldRef: { fieldPath } } }] };
}

/** Removes the finalizer of a pod that was counted or need not be. */
export async function untrack(pod: Pod, scope: Scope): Promise<void> {
  if (!isTracked(pod)) return;
  const metadata = { "$deleteFromPrimitiveList/finalizers": [trackingFinalizer] };
  const patch = { type: "strategic", patch: { metadata } } as const;
  await ignoreNotFound(writerOf(scope, kinds.pods).patch(pod, patch));
}

/**
 * Deletes active pods of the job. Pods that do not count lose their finalizer at once; others keep it
 * until they are counted. Returns a failure.
 */
export async function deleteJobPods(
  draft: JobDraft,
  pods: readonly Pod[],
  { counts }: { readonly counts: boolean },
): Promise<unknown> {
  const { job, scope } = draft;
  const outcomes = await Promise.allSettled(
    pods.map(async (pod) => {
      if (!counts) await untrack(pod, scope);
      await deletePod(job, pod, scope);
    }),
  );
  const deleted = pods.filter((_, index) => outcomes[index]?.status === "fulfilled");
  draft.activeCount -= deleted.length;
  draft.terminating += deleted.length;
  draft.ready -= deleted.filter(isReady).length;
  return outcomes.find((outcome) => outcome.status === "rejected")?.reason;
}
