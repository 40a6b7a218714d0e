import type { CustomResourceDefinitionNames } from "@rookery/api";
import { FieldError, type FieldPath, validateDns1035Label } from "@rookery/kube";

/** Problems of names, of those that are there: which have to be is the spec's to say. */
export function validateNames(names: CustomResourceDefinitionNames, path: FieldPath): FieldError[] {
  const { plural = "", singular = "", kind = "", listKind = "" } = names;
  return [
    ...lowerCase(plural, path.child("plural")),
    ...lowerCase(singular, path.child("singular")),
    ...mixedCase(kind, path.child("kind")),
    ...mixedCase(listKind, path.child("listKind")),
    ...listed(names.shortNames, path.child("shortNames")),
    ...(kind !== "" && kind === listKind
      ? [FieldError.invalid(path.child("listKind"), kind, "kind and listKind may not be the same")]
      : []),
    ...listed(names.categories, path.child("categories")),
  ];
}

function lowerCase(name: string, path: FieldPath): FieldError[] {
  return name === "" ? [] : labelProblem(name, path);
}

function labelProblem(name: string, path: FieldPath): FieldError[] {
  const problems = validateDns1035Label(name);
  return problems.length === 0 ? [] : [FieldError.invalid(path, name, problems.join(","))];
}

function mixedCase(name: string, path: FieldPath): FieldError[] {
  const problems = name === "" ? [] : validateDns1035Label(name.toLowerCase());
  if (problems.length === 0) return [];
  const detail = `may have mixed case, but should otherwise match: ${problems.join(",")}`;
  return [FieldError.invalid(path, name, detail)];
}

function listed(names: readonly string[] | undefined | null, path: FieldPath): FieldError[] {
  return (names ?? []).flatMap((name, index) => labelProblem(name, path.index(index)));
}
