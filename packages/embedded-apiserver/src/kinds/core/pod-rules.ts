import type { Pod, PodSpec } from "@rookery/api";
import { forbidden, forbiddenIf } from "../meta/checks.ts";
import { each, struct } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { type Rules, validator } from "../meta/rules.ts";
import { imageWithoutSpaces } from "../pod-spec/containers.ts";
import { podAnnotations, profilesAgree } from "../pod-spec/pod-annotations.ts";
import { podSpec } from "../pod-spec/validate-spec.ts";

/** The rules of new and of changed pods. */
export const podContent: Rules<Pod> = [
  ({ metadata = {}, spec = {} }, field) => {
    podAnnotations(metadata.annotations ?? {}, spec, field.child("metadata", "annotations"));
    podSpec(spec, metadata, field.child("spec"));
    tokensNeedAccount(spec, field.child("spec", "volumes"));
  },
  {
    spec: {
      containers: each({ image: imageWithoutSpaces }),
      initContainers: each({ image: imageWithoutSpaces }),
    },
  },
];

function tokensNeedAccount({ serviceAccountName, volumes = [] }: PodSpec, field: Field): void {
  if (serviceAccountName) return;
  volumes.forEach(({ projected }, i) => {
    projected?.sources?.forEach(({ serviceAccountToken: token }, j) => {
      if (token === undefined) return;
      const source = field.index(i).child("projected", "sources").index(j);
      const detail = "must not be specified when serviceAccountName is not set";
      source.child("serviceAccountToken").forbidden(detail);
    });
  });
}

/** Go: ValidatePodCreate, without the metadata. */
export const validatePod = validator<Pod>([
  podContent,
  {
    spec: struct<PodSpec>([
      { ephemeralContainers: forbidden("cannot be set on create") },
      forbiddenIf(
        "nodeName",
        ({ nodeName, schedulingGates = [] }) => Boolean(nodeName) && schedulingGates.length > 0,
        "cannot be set until all schedulingGates have been cleared",
      ),
    ]),
  },
  ({ metadata, spec = {} }, field) => {
    profilesAgree(metadata?.annotations ?? {}, spec, field.child("spec"));
  },
]);
