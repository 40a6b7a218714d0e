import {
  type CheckedPod,
  describePodSecurityViolations,
  type KubeObject,
  podSecurityViolations,
} from "@rookery/kube";
import { ComponentError } from "../errors.ts";

const standard = { level: "restricted", version: "latest" } as const;

/** Rejects pods that violate the Pod Security Standard restricted, which no flag allows. */
export function refuseUnrestricted({ kind, metadata, spec }: KubeObject): void {
  const { template } = (spec ?? {}) as { readonly template?: unknown };
  if (template === undefined) return;
  const why = violationOf(template);
  if (why === undefined) return;
  throw new ComponentError(
    "NotAllowed",
    `could not render ${kind} ${metadata.name}: its pods would violate the Pod Security Standard restricted: ${why}; ` +
      "change spec.patches: no flag allows it",
  );
}

/** Why a template of pods is not restricted; undefined where it is. */
export function violationOf(template: unknown): string | undefined {
  const { metadata = {}, spec = {} } = withoutNulls(template) as Partial<CheckedPod>;
  if (spec.os !== undefined) return "os: the standard asks less of other systems";
  try {
    const violations = podSecurityViolations({ metadata, spec }, standard);
    return violations.length === 0 ? undefined : describePodSecurityViolations(violations);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return "it is no template of pods";
  }
}

/** API servers treat null as absent. */
function withoutNulls(value: unknown): unknown {
  const text = JSON.stringify(value, (_, one: unknown) =>
    Array.isArray(one) ? one.filter((item) => item !== null) : (one ?? undefined),
  );
  return JSON.parse(text ?? "{}");
}
