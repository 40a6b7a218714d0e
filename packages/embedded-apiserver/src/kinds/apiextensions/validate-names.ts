import type { CustomResourceDefinitionNames } from "@rookery/api";
import { validateDns1035Label } from "@rookery/kube";
import { format, joinedFormat } from "../meta/checks.ts";
import { each, unlessEmpty } from "../meta/combinators.ts";
import { type Rules, ruleOf } from "../meta/rules.ts";

export const joinedLabel = joinedFormat(validateDns1035Label, ",");

const mixedCase = unlessEmpty<string>(
  format((name) => {
    const problems = validateDns1035Label(name.toLowerCase());
    const detail = `may have mixed case, but should otherwise match: ${problems.join(",")}`;
    return problems.length === 0 ? [] : [detail];
  }),
);

const rules: Rules<CustomResourceDefinitionNames> = [
  {
    plural: unlessEmpty(joinedLabel),
    singular: unlessEmpty(joinedLabel),
    kind: mixedCase,
    listKind: mixedCase,
    shortNames: each(joinedLabel),
  },
  ({ kind, listKind }, field) => {
    if (!kind || kind !== listKind) return;
    field.child("listKind").invalid(kind, "kind and listKind may not be the same");
  },
  { categories: each(joinedLabel) },
];

/** Go: ValidateCustomResourceDefinitionNames. Only the spec requires names. */
export const names = ruleOf<CustomResourceDefinitionNames>(rules);
