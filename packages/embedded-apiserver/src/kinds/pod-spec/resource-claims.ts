import type { PodResourceClaim, PodSpec } from "@rookery/api";
import { dns1123Label, dns1123Subdomain, unique } from "../meta/checks.ts";
import { each, firstOf, optional, required } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { goStruct } from "./internal-form.ts";

/** The names of the claims that containers can refer to. */
export function claimNames({ resourceClaims = [] }: PodSpec): string[] {
  return [...new Set(resourceClaims.flatMap(({ name }) => (name ? [name] : [])))];
}

/** Go: validatePodResourceClaim. */
export const resourceClaims = each<PodResourceClaim>([
  { name: required(firstOf(unique, dns1123Label)) },
  oneSource,
  {
    resourceClaimName: optional(dns1123Subdomain),
    resourceClaimTemplateName: optional(dns1123Subdomain),
  },
]);

function oneSource(claim: PodResourceClaim, field: Field): void {
  const { resourceClaimName: own, resourceClaimTemplateName: template } = claim;
  if ((own === undefined) !== (template === undefined)) return;
  const detail =
    own === undefined
      ? "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"
      : "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified";
  field.invalid(goStruct("PodResourceClaim", claim), detail);
}
