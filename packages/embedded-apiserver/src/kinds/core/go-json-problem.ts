import { describeJsonError } from "@rookery/apiserver";

/** Why Go would not read a text as a JSON object; undefined where it would. */
export function goJsonProblem(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const type = typeName(value);
    return type === "object" || type === "null"
      ? undefined
      : `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
  } catch {
    return describeJsonError(text);
  }
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}
