export type Fields = Readonly<Record<string, unknown>>;

/** The keys from an object to a value; "[]" is every element of a list. */
export type Path = readonly string[];

/** Reads "rules[].resourceNames[]". Keys with dots need an array path. */
export function pathOf(text: string): Path {
  return text.split(".").flatMap((step) => {
    const lists = step.match(/\[\]/g) ?? [];
    return [step.replaceAll("[]", ""), ...lists];
  });
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the same value if nothing changes. */
export function updateAt<T>(value: T, path: Path | string, change: (found: unknown) => unknown): T {
  return update(value, typeof path === "string" ? pathOf(path) : path, change) as T;
}

function update(value: unknown, path: Path, change: (found: unknown) => unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  if (step === "[]") {
    return Array.isArray(value) ? mapSame(value, (item) => update(item, rest, change)) : value;
  }
  if (!isFields(value) || !Object.hasOwn(value, step)) return value;
  const changed = update(value[step], rest, change);
  return changed === value[step] ? value : { ...value, [step]: changed };
}

/** As `updateAt`, for strings only. */
export function updateText<T>(value: T, path: Path | string, change: (text: string) => string): T {
  return updateAt(value, path, (found) => (typeof found === "string" ? change(found) : found));
}

/** All values at the path, in order. */
export function valuesAt(value: unknown, path: Path | string): unknown[] {
  const found: unknown[] = [];
  updateAt(value, path, (item) => {
    found.push(item);
    return item;
  });
  return found;
}

/** As `map`; returns the same list if nothing changes. */
export function mapSame<T>(
  list: readonly T[],
  change: (item: T, index: number) => T,
): readonly T[] {
  const changed = list.map(change);
  return changed.every((item, index) => item === list[index]) ? list : changed;
}

/** The field of a string, also through a list, and its object. */
interface Place {
  readonly key: string;
  readonly holder: Fields;
}

/** Changes all strings of a tree; returns the same tree if nothing changes. */
export function updateStrings<T>(value: T, change: (text: string, place: Place) => string): T {
  const walk = (node: unknown, place: Place): unknown => {
    if (typeof node === "string") return change(node, place);
    if (Array.isArray(node)) return mapSame(node, (item) => walk(item, place));
    if (!isFields(node)) return node;
    const entries = Object.entries(node);
    const changed = entries.map(([key, held]) => [key, walk(held, { key, holder: node })] as const);
    const same = changed.every(([, held], index) => held === entries[index]?.[1]);
    return same ? node : Object.fromEntries(changed);
  };
  return walk(value, { key: "", holder: {} }) as T;
}
