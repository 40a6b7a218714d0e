import { type PatchField, type PatchSchema, parseQuantity } from "@rookery/kube";

type Json = Readonly<Record<string, unknown>>;

/**
 * Whether an object contains a rendering, apart from forms of quantities and absent empty values.
 */
export function covers(live: unknown, rendered: unknown, schema: PatchSchema): boolean {
  return coversField(live, rendered, { schema });
}

function coversField(live: unknown, rendered: unknown, field: PatchField): boolean {
  if (isEmpty(rendered)) return live === undefined || isEmpty(live) || isRecord(live);
  if (Array.isArray(rendered)) return Array.isArray(live) && coversList(live, rendered, field);
  if (isRecord(rendered)) return isRecord(live) && coversRecord(live, rendered, field.schema);
  return live === rendered || isSameQuantity(live, rendered);
}

function coversRecord(live: Json, rendered: Json, schema: PatchSchema): boolean {
  return Object.entries(rendered).every(([key, value]) => {
    const field = schema.field(key) ?? { schema };
    return coversField(live[key], value, field);
  });
}

/** Lists with a merge key may have further items; other lists must be the same. */
function coversList(
  live: readonly unknown[],
  rendered: readonly unknown[],
  { mergeKey, schema }: PatchField,
): boolean {
  const item = { schema };
  if (mergeKey === undefined) {
    const isWhole = live.length === rendered.length;
    return isWhole && rendered.every((one, index) => coversField(live[index], one, item));
  }
  return rendered.every((one) => {
    const key = isRecord(one) ? one[mergeKey] : undefined;
    const found = live.find((other) => isRecord(other) && other[mergeKey] === key);
    return found !== undefined && coversField(found, one, item);
  });
}

function isSameQuantity(a: unknown, b: unknown): boolean {
  if (typeof a !== "string" && typeof a !== "number") return false;
  if (typeof b !== "string" && typeof b !== "number") return false;
  try {
    return parseQuantity(String(a)).compare(parseQuantity(String(b))) === 0;
  } catch {
    return false;
  }
}

/** Values that Kubernetes omits; false and 0 are not omitted. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && Object.values(value).every(isEmpty);
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
