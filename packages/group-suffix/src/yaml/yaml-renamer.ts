import type { BodyRenamer, Target } from "../body-renamer.ts";
import { isGroupSuffixError } from "../group-suffix-error.ts";
import { createJsonRenamer } from "../json/json-renamer.ts";
import { createNeedles } from "../json/needles.ts";
import { TextRenamer } from "../json/text-renamer.ts";
import type { RenamerOptions } from "../rules/field-rule.ts";
import { ruleSetOf } from "../rules/rule-set.ts";
import { WholeBody } from "../whole-body.ts";
import { renameYaml } from "./rename-yaml.ts";

/**
 * Renames objects in YAML; all that is not renamed stays as it is written. JSON, which is YAML too
 * and what clients send as such, is renamed as JSON. Errors: InvalidRuleError.
 */
export function createYamlRenamer(options: RenamerOptions): BodyRenamer {
  const { mapping } = options;
  const rules = ruleSetOf(options);
  const json = createJsonRenamer(options);
  const mayMatch = createNeedles(mapping);
  const rename = (body: Uint8Array, target: Target | undefined): Uint8Array => {
    const isMapped = target !== undefined && mapping.swap(target.group) !== target.group;
    if (!isMapped && !mayMatch(body)) return body;
    const asJson = looksLikeJson(body) ? renameAsJson(json, body, target) : undefined;
    if (asJson !== undefined) return asJson;
    const context = new TextRenamer(mapping, rules, rules.kindOf(target));
    return renameYaml(body, rules.object, context);
  };
  return { rename, stream: (target) => new WholeBody("YAML", (body) => rename(body, target)) };
}

function looksLikeJson(body: Uint8Array): boolean {
  return body[0] === 0x7b;
}

/** Undefined where it only looked like JSON: YAML may begin with a brace too. */
function renameAsJson(
  json: BodyRenamer,
  body: Uint8Array,
  target: Target | undefined,
): Uint8Array | undefined {
  try {
    return json.rename(body, target);
  } catch (error) {
    if (isGroupSuffixError(error)) return undefined;
    throw error;
  }
}
