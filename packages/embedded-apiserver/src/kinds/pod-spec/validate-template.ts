import type { PodTemplateSpec } from "@rookery/api";
import { annotations, forbidden, labels } from "../meta/checks.ts";
import { optional } from "../meta/combinators.ts";
import { podAnnotations, profilesAgree } from "./pod-annotations.ts";
import { podSpec } from "./validate-spec.ts";

/** Go: ValidatePodTemplateSpec. Kubernetes reports labels and annotations without "metadata". */
export const podTemplate = optional<PodTemplateSpec>([
  ({ metadata = {}, spec = {} }, field) => {
    labels(metadata.labels, field.child("labels"));
    annotations(metadata.annotations, field.child("annotations"));
    podAnnotations(metadata.annotations ?? {}, spec, field.child("annotations"));
    podSpec(spec, undefined, field.child("spec"));
    profilesAgree(metadata.annotations ?? {}, spec, field.child("spec"));
  },
  {
    spec: {
      ephemeralContainers: forbidden("ephemeral containers not allowed in pod template"),
    },
  },
]);
