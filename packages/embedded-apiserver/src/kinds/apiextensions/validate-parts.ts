import type { CustomResourceColumnDefinition, CustomResourceSubresources } from "@rookery/api";
import { format, matches } from "../meta/checks.ts";
import { firstOf, named, required, unlessEmpty } from "../meta/combinators.ts";
import type { Rule, Rules } from "../meta/rules.ts";

const columnTypes = ["boolean", "date", "integer", "number", "string"];
const columnFormats = [
  "byte",
  "date",
  "date-time",
  "double",
  "float",
  "int32",
  "int64",
  "password",
];

/** A closed set, in other words than those of most kinds. */
function listed(values: readonly string[]): Rule<string | undefined> {
  return matches((value) => values.includes(value), `must be one of ${values.join(",")}`);
}

const simplePath = matches(
  (text) => text.startsWith("."),
  "must be a simple json path starting with .",
);

/** Go: ValidateCustomResourceColumnDefinition. */
export const printerColumn: Rules<CustomResourceColumnDefinition> = {
  name: required(),
  type: required(listed(columnTypes), `must be one of ${columnTypes.join(",")}`),
  format: unlessEmpty(listed(columnFormats)),
  jsonPath: named("JSONPath", required(simplePath)),
};

function pathUnder(detail: string, ...roots: readonly string[]): Rule<string> {
  return firstOf<string>(
    simplePath,
    format((text) => (roots.some((root) => text.startsWith(root)) ? [] : [detail])),
  );
}

/** Go: ValidateCustomResourceDefinitionSubresources. */
export const subresources: Rules<CustomResourceSubresources | undefined> = {
  scale: {
    specReplicasPath: required(pathUnder("should be a json path under .spec", ".spec.")),
    statusReplicasPath: required(pathUnder("should be a json path under .status", ".status.")),
    labelSelectorPath: unlessEmpty(
      pathUnder("should be a json path under either .spec or .status", ".spec.", ".status."),
    ),
  },
};
