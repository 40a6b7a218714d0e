import { ADDRESS_FUNCTIONS } from "./addresses.ts";
import { ARITHMETIC_FUNCTIONS } from "./arithmetic.ts";
import { AUTHORIZATION_FUNCTIONS } from "./authorization.ts";
import { CONVERSION_FUNCTIONS } from "./conversions.ts";
import type { FunctionDeclaration } from "./declare.ts";
import { LIST_FUNCTIONS } from "./lists.ts";
import { NAMED_FORMAT_FUNCTIONS } from "./named-formats.ts";
import { OPERATOR_FUNCTIONS } from "./operators.ts";
import { OPTIONAL_FUNCTIONS } from "./optionals.ts";
import { QUANTITY_FUNCTIONS } from "./quantity.ts";
import { REGEX_FUNCTIONS } from "./regex.ts";
import { SEMVER_FUNCTIONS } from "./semver.ts";
import { SET_FUNCTIONS } from "./sets.ts";
import { STANDARD_STRING_FUNCTIONS } from "./standard-strings.ts";
import { STRING_FUNCTIONS } from "./strings.ts";
import { TIME_FUNCTIONS } from "./time.ts";
import { URL_FUNCTIONS } from "./urls.ts";

/**
 * The functions of rules in kube-apiserver 1.34, by name. New rules compile for the version
 * before, without the cel-go lists extension.
 */
export const FUNCTIONS: ReadonlyMap<string, FunctionDeclaration> = merge([
  ...OPERATOR_FUNCTIONS,
  ...ARITHMETIC_FUNCTIONS,
  ...STANDARD_STRING_FUNCTIONS,
  ...CONVERSION_FUNCTIONS,
  ...TIME_FUNCTIONS,
  ...URL_FUNCTIONS,
  ...REGEX_FUNCTIONS,
  ...LIST_FUNCTIONS,
  ...OPTIONAL_FUNCTIONS,
  ...QUANTITY_FUNCTIONS,
  ...STRING_FUNCTIONS,
  ...SET_FUNCTIONS,
  ...ADDRESS_FUNCTIONS,
  ...NAMED_FORMAT_FUNCTIONS,
  ...SEMVER_FUNCTIONS,
  ...AUTHORIZATION_FUNCTIONS,
]);

/** The types of the libraries, which have functions but no fields. */
export const LIBRARY_TYPES: ReadonlySet<string> = new Set(
  [...FUNCTIONS.values()]
    .flatMap(({ overloads }) => overloads.flatMap(({ args, result }) => [...args, result]))
    .filter(({ kind }) => kind === "struct")
    .map(({ name }) => name),
);

/** Libraries may add overloads to a function of another library. */
function merge(
  declarations: readonly FunctionDeclaration[],
): ReadonlyMap<string, FunctionDeclaration> {
  const byName = new Map<string, FunctionDeclaration>();
  for (const declaration of declarations) {
    const known = byName.get(declaration.name);
    const overloads = [...(known?.overloads ?? []), ...declaration.overloads];
    byName.set(declaration.name, { ...known, ...declaration, overloads });
  }
  return byName;
}
