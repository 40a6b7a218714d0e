import type { Deployment } from "@rookery/api";
import { nonNegative } from "../meta/checks.ts";
import type { Rule } from "../meta/rules.ts";
import { numberAnnotation } from "./revision-annotation.ts";

/** By this annotation older versions asked for a rollback to a revision. */
const annotation = "deprecated.deployment.rollback.to";

function rollbackOf({ metadata }: Deployment): number | undefined {
  const text = metadata?.annotations?.[annotation];
  const prefix = `failed to parse annotation[${annotation}]=${text} as int64: `;
  return numberAnnotation(metadata, annotation, { emptyIsNone: true, prefix });
}

/** Writes the revision as kube-apiserver does, which keeps it as a number. Throws a DecodeError. */
export function normalizeRollback(deployment: Deployment): void {
  const revision = rollbackOf(deployment);
  const annotations = deployment.metadata?.annotations;
  if (annotations === undefined) return;
  if (revision === undefined) delete annotations[annotation];
  else annotations[annotation] = String(revision);
}

export const rollback: Rule<Deployment> = (deployment, field) => {
  nonNegative(rollbackOf(deployment), field.child("spec", "rollback", "version"));
};
