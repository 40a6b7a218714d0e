import { validateDns1123Subdomain } from "./names.ts";

/** Every reason why this is no suffix of API groups; none where it is one. */
export function validateApiGroupSuffix(suffix: string): readonly string[] {
  const noDot = suffix.includes(".") ? [] : ["must contain '.'"];
  return [...noDot, ...validateDns1123Subdomain(suffix)];
}
