import type { RuleWithOperations } from "@rookery/api";
import { FieldError, type FieldPath } from "@rookery/kube";

const operations = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const scopes = ["*", "Cluster", "Namespaced"];

/** Problems of what a webhook is called for. */
export function validateRule(rule: RuleWithOperations, path: FieldPath): FieldError[] {
  const { apiVersions = [], scope } = rule;
  return [
    ...validateOperations(rule.operations ?? [], path.child("operations")),
    ...validateNames(rule.apiGroups ?? [], path.child("apiGroups"), "API groups"),
    ...validateNames(apiVersions, path.child("apiVersions"), "API versions"),
    ...apiVersions.flatMap((version, index) =>
      version === "" ? [FieldError.required(path.child("apiVersions").index(index), "")] : [],
    ),
    ...validateResources(rule.resources ?? [], path.child("resources")),
    ...(scope && !scopes.includes(scope)
      ? [FieldError.notSupported(path.child("scope"), scope, scopes)]
      : []),
  ];
}

function validateOperations(given: readonly string[], path: FieldPath): FieldError[] {
  const unknown = given.flatMap((operation, index) =>
    operations.includes(operation)
      ? []
      : [FieldError.notSupported(path.index(index), operation, operations)],
  );
  return [...validateNames(given, path, "operations"), ...unknown];
}

function validateNames(names: readonly string[], path: FieldPath, what: string): FieldError[] {
  if (names.length === 0) return [FieldError.required(path, "")];
  if (names.length === 1 || !names.includes("*")) return [];
  return [FieldError.invalid(path, names, `if '*' is present, must not specify other ${what}`)];
}

/** Plain names, and those of subresources after a slash; a star stands for all. */
function validateResources(resources: readonly string[], path: FieldPath): FieldError[] {
  const whole = resources.filter((each) => each !== "" && !each.includes("/"));
  const others: (FieldError | false)[] = [
    resources.length > 1 &&
      resources.includes("*/*") &&
      FieldError.invalid(path, resources, "if '*/*' is present, must not specify other resources"),
    // Only the last one is looked at.
    whole.includes("*") &&
      whole.at(-1) !== "*" &&
      FieldError.invalid(
        path,
        resources,
        "if '*' is present, must not specify other resources without subresources",
      ),
  ];
  return [
    ...(resources.length === 0 ? [FieldError.required(path, "")] : []),
    ...resources.flatMap((each, index) =>
      each === ""
        ? [FieldError.required(path.index(index), "")]
        : covered(each, resources.slice(0, index)).map((problem) =>
            FieldError.invalid(path.index(index), each, problem),
          ),
    ),
    ...others.filter((error) => error !== false),
  ];
}

/** By which wildcards before it a subresource is there already. */
function covered(each: string, before: readonly string[]): string[] {
  const slash = each.indexOf("/");
  if (slash === -1) return [];
  const wildcards = [`${each.slice(0, slash)}/*`, `*/${each.slice(slash + 1)}`];
  return wildcards
    .filter((wildcard) => before.includes(wildcard))
    .map((wildcard) => `if '${wildcard}' is present, must not specify ${each}`);
}
