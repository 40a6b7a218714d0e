import type { PodResourceClaim, PodSpec } from "@rookery/api";
import {
  FieldError,
  type FieldPath,
  type ObjectMeta,
  validateDns1123Label,
  validateDns1123Subdomain,
} from "@rookery/kube";
import { invalidEach } from "../meta/field-rules.ts";
import { GoStruct } from "../meta/go-struct.ts";
import { mirrorAnnotation } from "./pod-annotations.ts";

/** What containers can refer to. */
export function claimNames({ resourceClaims = [] }: PodSpec): string[] {
  return [...new Set(resourceClaims.flatMap(({ name }) => (name ? [name] : [])))];
}

/** The claims of devices that a pod names. */
export function validateResourceClaims(
  claims: readonly PodResourceClaim[],
  metadata: ObjectMeta | undefined,
  path: FieldPath,
): FieldError[] {
  const names = new Set<string>();
  return claims.flatMap((claim, i) => {
    if (metadata?.annotations?.[mirrorAnnotation] !== undefined) {
      return [FieldError.forbidden("[]", "static pods do not support resource claims")];
    }
    const at = path.index(i);
    return [...validateName(claim, names, at.child("name")), ...validateTarget(claim, at)];
  });
}

function validateName(
  { name = "" }: PodResourceClaim,
  taken: Set<string>,
  path: FieldPath,
): FieldError[] {
  if (name === "") return [FieldError.required(path, "")];
  if (taken.has(name)) return [FieldError.duplicate(path, name)];
  taken.add(name);
  return invalidEach(name, validateDns1123Label(name), path);
}

function validateTarget(claim: PodResourceClaim, path: FieldPath): FieldError[] {
  const { name = "", resourceClaimName: own, resourceClaimTemplateName: template } = claim;
  const shown = new GoStruct({
    Name: name,
    ResourceClaimName: own ?? null,
    ResourceClaimTemplateName: template ?? null,
  });
  const both = "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified";
  const none = "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`";
  const named = [
    ["resourceClaimName", own],
    ["resourceClaimTemplateName", template],
  ] as const;
  return [
    ...(own !== undefined && template !== undefined ? [FieldError.invalid(path, shown, both)] : []),
    ...(own === undefined && template === undefined ? [FieldError.invalid(path, shown, none)] : []),
    ...named.flatMap(([field, value]) =>
      value === undefined
        ? []
        : invalidEach(value, validateDns1123Subdomain(value), path.child(field)),
    ),
  ];
}
