import type { CustomResourceSelectableField } from "@rookery/api";
import { FieldError, type FieldPath } from "@rookery/kube";
import type { JSONSchemaProps } from "@rookery/schema";

const maxFields = 8;
const selectableTypes: readonly (string | undefined)[] = ["string", "boolean", "integer"];

/** Problems of the fields that field selectors may name. */
export function validateSelectableFields(
  fields: readonly CustomResourceSelectableField[],
  schema: JSONSchemaProps,
  path: FieldPath,
): FieldError[] {
  const seen = new Set<string>();
  const errors = fields.flatMap(({ jsonPath = "" }, index) => {
    const at = path.index(index).child("jsonPath");
    if (jsonPath === "") return [FieldError.required(at, "")];
    const found = fieldAt(jsonPath, schema);
    if (typeof found === "string") {
      return [FieldError.invalid(at, jsonPath, `is an invalid path: ${found}`)];
    }
    const key = found.steps.join("\n");
    const isRepeated = seen.has(key);
    seen.add(key);
    return [
      ...fieldProblems(found).map((problem) => FieldError.invalid(at, jsonPath, problem)),
      ...(isRepeated ? [FieldError.duplicate(at, jsonPath)] : []),
    ];
  });
  return seen.size > maxFields
    ? [...errors, FieldError.tooMany(path, seen.size, maxFields)]
    : errors;
}

interface FoundField {
  readonly steps: readonly string[];
  readonly schema: JSONSchemaProps | undefined;
}

function fieldProblems({ steps, schema }: FoundField): string[] {
  const problems = steps[0] === "metadata" ? ["must not point to fields in metadata"] : [];
  if (selectableTypes.includes(schema?.type)) return problems;
  const types =
    "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
  return [...problems, types];
}

/** What a path leads to, or why it leads nowhere. */
function fieldAt(jsonPath: string, root: JSONSchemaProps): FoundField | string {
  const tokens = jsonPath.match(/'(?:[^']|(?<=\\)')*'|[.[\]]|[^.[\]]+/g) ?? [];
  const steps: string[] = [];
  let schema: JSONSchemaProps | undefined = root;
  for (let i = 0; i < tokens.length; i += 2) {
    const [delimiter, name] = tokens.slice(i, i + 2);
    if (delimiter === "[") return "array notation is not allowed";
    if (delimiter !== ".") return `expected [ or . but got: ${delimiter}`;
    if (name === undefined) return "unexpected end of JSON path";
    schema = childOf(schema, name);
    if (schema === undefined) return "does not refer to a valid field";
    steps.push(name);
  }
  return { steps, schema };
}

function childOf(schema: JSONSchemaProps | undefined, name: string): JSONSchemaProps | undefined {
  const { properties = {}, additionalProperties } = schema ?? {};
  if (Object.keys(properties).length > 0) {
    return Object.hasOwn(properties, name) ? properties[name] : undefined;
  }
  if (additionalProperties === undefined) return undefined;
  return typeof additionalProperties === "boolean" ? {} : additionalProperties;
}
