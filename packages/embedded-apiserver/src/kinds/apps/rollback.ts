import type { Deployment } from "@rookery/api";
import { type FieldError, fieldPath } from "@rookery/kube";
import { validateNonnegative } from "../meta/field-rules.ts";
import { numberAnnotation } from "./revision-annotation.ts";

/** How older versions said to which revision a Deployment shall go back. */
const annotation = "deprecated.deployment.rollback.to";

function rollbackOf({ metadata }: Deployment): number | undefined {
  const text = metadata?.annotations?.[annotation];
  const prefix = `failed to parse annotation[${annotation}]=${text} as int64: `;
  return numberAnnotation(metadata, annotation, { emptyIsNone: true, prefix });
}

/** Writes the revision as kube-apiserver does that has it as a number. Throws a DecodeError. */
export function normalizeRollback(deployment: Deployment): void {
  const revision = rollbackOf(deployment);
  const annotations = deployment.metadata?.annotations;
  if (annotations === undefined) return;
  if (revision === undefined) delete annotations[annotation];
  else annotations[annotation] = String(revision);
}

export function validateRollback(deployment: Deployment): FieldError[] {
  const revision = rollbackOf(deployment);
  return validateNonnegative(revision ?? 0, fieldPath("spec", "rollback", "version"));
}
