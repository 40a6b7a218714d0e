import type { Pod } from "@rookery/api";
import { FieldError, fieldPath, quote } from "@rookery/kube";
import type { StatusRules } from "../declaration/kind.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { dropDisabledFields } from "../pod-spec/disabled-fields.ts";
import { mirrorAnnotation } from "../pod-spec/pod-annotations.ts";
import { goDiff } from "./go-diff.ts";
import { validatePodContent } from "./pod-rules.ts";
import { validateAnnotationChange } from "./pod-update-rules.ts";

const path = fieldPath("spec", "ephemeralContainers");

/** The subresource by which someone adds a container to a pod in order to look into it. */
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
  validateUpdate: validateEphemeralContainersUpdate,
};

/** Nothing else changes by the way. */
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

function validateEphemeralContainersUpdate(pod: Pod, old: Pod): FieldError[] {
  if (old.metadata?.annotations?.[mirrorAnnotation] !== undefined) {
    return [FieldError.forbidden("[]", "static pods do not support ephemeral containers")];
  }
  const containers = pod.spec?.ephemeralContainers ?? [];
  const changed = (old.spec?.ephemeralContainers ?? []).flatMap((before) => {
    const now = containers.findLast(({ name }) => name === before.name);
    if (isSameValue(now, before)) return [];
    const head = `existing ephemeral containers ${quote(before.name ?? "")} may not be`;
    const detail =
      now === undefined
        ? `${head} removed\n`
        : `${head} changed\n${goDiff("EphemeralContainer", before, now)}`;
    return [FieldError.forbidden(path, detail)];
  });
  return [...validatePodContent(pod), ...validateAnnotationChange(pod, old), ...changed];
}
