/** What holds values, not schemas. */
const values: ReadonlySet<string> = new Set(["default", "enum", "example"]);

/** Replaces each `$model` in a schema by what `write` makes of it. */
export function withReferences(
  schema: unknown,
  write: (model: string, rest: Record<string, unknown>) => object,
): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withReferences(item, write));
  if (typeof schema !== "object" || schema === null) return schema;
  const { $model, ...rest } = schema as Record<string, unknown>;
  if (typeof $model === "string") return write($model, rest);
  const entries = Object.entries(schema).map(([key, value]) => [
    key,
    values.has(key) ? value : withReferences(value, write),
  ]);
  return Object.fromEntries(entries);
}
