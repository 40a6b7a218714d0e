import type { Pod } from "@rookery/api";
import { FieldError, quote } from "@rookery/kube";
import type { StatusRules } from "../declaration/kind.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { type Rule, ruleOf, validator } from "../meta/rules.ts";
import { dropDisabledFields } from "../pod-spec/disabled-fields.ts";
import { mirrorAnnotation } from "../pod-spec/pod-annotations.ts";
import { goDiff } from "./go-diff.ts";
import { podContent } from "./pod-rules.ts";
import { annotationChange } from "./pod-update-rules.ts";

/** Keeps all other metadata. */
function keepMetadata(pod: Pod, old: Pod): void {
  const kept = ["labels", "annotations", "finalizers", "ownerReferences"] as const;
  const {
    labels: _,
    annotations: __,
    finalizers: ___,
    ownerReferences: ____,
    ...metadata
  } = pod.metadata ?? {};
  const entries = kept.map((field) => [field, old.metadata?.[field]] as const);
  pod.metadata = {
    ...metadata,
    ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)),
  };
}

const content = ruleOf<Pod>(podContent);

/** Go: ValidatePodEphemeralContainersUpdate. */
const ephemeralUpdate: Rule<Pod> = (pod, field) => {
  const old = field.old as Pod;
  if (old.metadata?.annotations?.[mirrorAnnotation] !== undefined) {
    const detail = "static pods do not support ephemeral containers";
    return field.report([FieldError.forbidden("[]", detail)]);
  }
  content(pod, field);
  annotationChange(pod, field);
  const containers = pod.spec?.ephemeralContainers ?? [];
  for (const before of old.spec?.ephemeralContainers ?? []) {
    const now = containers.findLast(({ name }) => name === before.name);
    if (isSameValue(now, before)) continue;
    const head = `existing ephemeral containers ${quote(before.name ?? "")} may not be`;
    const detail =
      now === undefined
        ? `${head} removed\n`
        : `${head} changed\n${goDiff("EphemeralContainer", before, now)}`;
    field.child("spec", "ephemeralContainers").forbidden(detail);
  }
};

/** The subresource that adds a container to a running pod. */
export const ephemeralContainersRules: StatusRules<Pod> = {
  prepareForUpdate(pod, old) {
    const added = pod.spec?.ephemeralContainers;
    const { ephemeralContainers: _, ...spec } = old.spec ?? {};
    pod.spec = { ...spec, ...(added && { ephemeralContainers: added }) };
    if (old.status !== undefined) pod.status = old.status;
    keepMetadata(pod, old);
    dropDisabledFields(pod.spec);
    if (isSameValue(pod.spec, old.spec)) return;
    pod.metadata = { ...pod.metadata, generation: (old.metadata?.generation ?? 0) + 1 };
  },
  validateUpdate: validator(ephemeralUpdate),
};
