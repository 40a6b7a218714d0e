import type { CustomResourceSelectableField } from "@rookery/api";
import type { JSONSchemaProps } from "@rookery/schema";
import type { Field } from "../meta/field.ts";

const maxFields = 8;
const selectableTypes: readonly (string | undefined)[] = ["string", "boolean", "integer"];

/** Go: ValidateCustomResourceSelectableFields. */
export function selectableFields(
  fields: readonly CustomResourceSelectableField[],
  schema: JSONSchemaProps,
  field: Field,
): void {
  const seen = new Set<string>();
  fields.forEach(({ jsonPath = "" }, i) => {
    const at = field.index(i).child("jsonPath");
    const found = jsonPath === "" ? undefined : fieldAt(jsonPath, schema);
    if (found === undefined) at.required();
    else if (typeof found === "string") at.invalid(jsonPath, `is an invalid path: ${found}`);
    else {
      const key = found.steps.join("\n");
      at.invalidEach(jsonPath, fieldProblems(found));
      if (seen.has(key)) at.duplicate(jsonPath);
      seen.add(key);
    }
  });
  if (seen.size > maxFields) field.tooMany(seen.size, maxFields);
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

/** The field at a path, or the reason why the path is invalid. */
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
