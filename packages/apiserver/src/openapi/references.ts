/** What holds values, not schemas. */
const values: ReadonlySet<string> = new Set(["default", "enum", "example"]);

const v3Prefix = "#/components/schemas/";

/**
 * Replaces each reference to a model, by `$model` or by the `$ref` of OpenAPI v3, by what `write`
 * makes of it and of what stands beside it.
 */
export function withReferences(
  schema: unknown,
  write: (model: string, rest: Record<string, unknown>) => object,
): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withReferences(item, write));
  if (typeof schema !== "object" || schema === null) return schema;
  const { $model, ...rest } = schema as Record<string, unknown>;
  if (typeof $model === "string") return write($model, rest);
  const { $ref, ...beside } = rest;
  if (typeof $ref === "string") return write($ref.slice(v3Prefix.length), beside);
  const entries = Object.entries(schema).map(([key, value]) => {
    if (key === "properties") return [key, inProperties(value, write)];
    return [key, values.has(key) ? value : withReferences(value, write)];
  });
  return Object.fromEntries(entries);
}

/** Fields may have any name, also that of a keyword. */
function inProperties(
  properties: object,
  write: (model: string, rest: Record<string, unknown>) => object,
): object {
  const entries = Object.entries(properties).map(([name, schema]) => [
    name,
    withReferences(schema, write),
  ]);
  return Object.fromEntries(entries);
}

/**
 * The models that can be reached from some, by their names, each rendered. `render` tells the models
 * that it comes across to `visit`; those that are not found are left out.
 */
export function reachableModels<T>(
  start: Iterable<string>,
  find: (name: string) => T | undefined,
  render: (model: T, visit: (name: string) => void) => object,
): Record<string, object> {
  const rendered = new Map<string, object>();
  const waiting = [...new Set(start)];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const model = rendered.has(name) ? undefined : find(name);
    if (model === undefined) continue;
    rendered.set(
      name,
      render(model, (next) => waiting.push(next)),
    );
  }
  return Object.fromEntries([...rendered].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
