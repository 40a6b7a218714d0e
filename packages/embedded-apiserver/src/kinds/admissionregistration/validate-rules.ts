import type { RuleWithOperations } from "@rookery/api";
import { oneOf } from "../meta/checks.ts";
import { each, required, unlessEmpty } from "../meta/combinators.ts";
import type { Rule, Rules } from "../meta/rules.ts";

type Names = Rule<readonly string[] | undefined>;

/** A star stands for all names, and is the only one then. */
function starAlone(noun: string): Names {
  return required<readonly string[]>((names, field) => {
    if (names.length === 1 || !names.includes("*")) return;
    field.invalid(names, `if '*' is present, must not specify other ${noun}`);
  });
}

/** Plain names, and those of subresources after a slash. */
const resources: Names = (given, field) => {
  const names = given ?? [];
  const whole = names.filter((each) => each !== "" && !each.includes("/"));
  if (names.length === 0) field.required();
  names.forEach((each, i) => {
    if (each === "") field.index(i).required();
    else field.index(i).invalidEach(each, covered(each, names.slice(0, i)));
  });
  if (names.length > 1 && names.includes("*/*")) {
    field.invalid(names, "if '*/*' is present, must not specify other resources");
  }
  // Kubernetes compares with the last resource only.
  if (whole.includes("*") && whole.at(-1) !== "*") {
    const others = "must not specify other resources without subresources";
    field.invalid(names, `if '*' is present, ${others}`);
  }
};

/** The wildcards before a subresource that cover it. */
function covered(each: string, before: readonly string[]): string[] {
  const slash = each.indexOf("/");
  if (slash === -1) return [];
  const wildcards = [`${each.slice(0, slash)}/*`, `*/${each.slice(slash + 1)}`];
  return wildcards
    .filter((wildcard) => before.includes(wildcard))
    .map((wildcard) => `if '${wildcard}' is present, must not specify ${each}`);
}

/** Go: validateRuleWithOperations. */
export const ruleWithOperations: Rules<RuleWithOperations> = {
  operations: [starAlone("operations"), each(oneOf("*", "CONNECT", "CREATE", "DELETE", "UPDATE"))],
  apiGroups: starAlone("API groups"),
  apiVersions: [starAlone("API versions"), each(required())],
  resources,
  scope: unlessEmpty(oneOf("*", "Cluster", "Namespaced")),
};
