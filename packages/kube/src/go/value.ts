import { quote } from "./quote.ts";

/** Renders a value as Go's `%v` renders a number or a boolean, `%q` a string, and JSON the rest. */
export function renderValue(value: unknown): string {
  switch (typeof value) {
    case "string":
      return quote(value);
    case "number":
      return renderNumber(value);
    case "bigint":
    case "boolean":
      return String(value);
    default:
      return renderJson(value);
  }
}

/** An integer within int64 prints plain; any other number as Go's `%v` of a float64. */
function renderNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) return String(value);
  return formatFloat(value);
}

/** Go's `%v` of a float64: the shortest digits, with an exponent below 1e-4 and from 1e6 on. */
export function formatFloat(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const magnitude = Math.abs(value);
  if (magnitude >= 1e-4 && magnitude < 1e6) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
}

/** Renders as Go's json.Marshal does: keys in order, and `<`, `>`, `&` escaped. */
export function renderJson(value: unknown): string {
  const text = JSON.stringify(sortKeys(value)) ?? "null";
  return text.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null || "toJSON" in value) return value;
  const entries = Object.entries(value).map(([key, child]) => [key, sortKeys(child)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Prints JSON data as Go's `%v` does: `map[a:1 b:[x y]]`, keys in order, `<nil>` for null. */
export function printValue(value: unknown): string {
  if (value === null || value === undefined) return "<nil>";
  if (typeof value === "number") return renderNumber(value);
  if (Array.isArray(value)) return `[${value.map(printValue).join(" ")}]`;
  if (typeof value !== "object") return String(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([key, child]) => `${key}:${printValue(child)}`).join(" ")}]`;
}

/** The Go type of JSON data. */
export function goTypeOf(value: unknown): string {
  if (value === null || value === undefined) return "%!s(<nil>)";
  if (Array.isArray(value)) return "[]interface {}";
  switch (typeof value) {
    case "number":
      return Number.isInteger(value) ? "int64" : "float64";
    case "boolean":
      return "bool";
    case "string":
      return "string";
    default:
      return "map[string]interface {}";
  }
}
