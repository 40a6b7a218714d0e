import type { Pod, PodSpec } from "@rookery/api";
import { FieldError, fieldPath } from "@rookery/kube";
import { validateImageSpaces } from "../pod-spec/containers.ts";
import {
  validateAppArmorMatch,
  validatePodAnnotations,
  validateSeccompMatch,
} from "../pod-spec/pod-annotations.ts";
import { validatePodSpec } from "../pod-spec/validate-spec.ts";

const path = fieldPath("spec");
const annotationsPath = fieldPath("metadata", "annotations");

/** Go: ValidatePodCreate, without the metadata. */
export function validatePod(pod: Pod): FieldError[] {
  const { metadata = {}, spec = {} } = pod;
  const { annotations = {} } = metadata;
  const gated = "cannot be set until all schedulingGates have been cleared";
  const isGated = (spec.nodeName ?? "") !== "" && (spec.schedulingGates ?? []).length > 0;
  return [
    ...validatePodContent(pod),
    ...((spec.ephemeralContainers ?? []).length === 0
      ? []
      : [FieldError.forbidden(path.child("ephemeralContainers"), "cannot be set on create")]),
    ...(isGated ? [FieldError.forbidden(path.child("nodeName"), gated)] : []),
    ...validateSeccompMatch(annotations, spec, path),
    ...validateAppArmorMatch(annotations, spec, path),
  ];
}

/** What holds for new pods and for changed ones. */
export function validatePodContent({ metadata = {}, spec = {} }: Pod): FieldError[] {
  return [
    ...validatePodAnnotations(metadata.annotations ?? {}, spec, annotationsPath),
    ...validatePodSpec(spec, metadata, path),
    ...validateTokens(spec),
    ...(["containers", "initContainers"] as const).flatMap((list) =>
      (spec[list] ?? []).flatMap((container, i) =>
        validateImageSpaces(container, path.child(list).index(i).child("image")),
      ),
    ),
  ];
}

function validateTokens({ serviceAccountName = "", volumes = [] }: PodSpec): FieldError[] {
  if (serviceAccountName !== "") return [];
  const detail = "must not be specified when serviceAccountName is not set";
  return volumes.flatMap(({ projected }, i) =>
    (projected?.sources ?? []).flatMap(({ serviceAccountToken: token }, j) => {
      const at = path.child("volumes").index(i).child("projected", "sources").index(j);
      return token === undefined
        ? []
        : [FieldError.forbidden(at.child("serviceAccountToken"), detail)];
    }),
  );
}
