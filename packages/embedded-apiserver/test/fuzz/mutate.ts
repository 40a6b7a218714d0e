import fc from "fast-check";

/** One change somewhere in an object. */
interface Edit {
  /** Which of its places, counted over all of them. */
  readonly at: number;
  readonly how: "replace" | "remove" | "add" | "repeat" | "wrap" | "rename";
  readonly value: unknown;
  readonly key: string;
}

const oddTexts = [
  ...[
    "",
    " ",
    "a",
    "-",
    ".",
    "..",
    "/",
    "a/b",
    "A",
    "é",
    "\u0000",
    "\ud800",
    "\u2028",
    "__proto__",
  ],
  ...["constructor", "true", "1", "-1", "1e999", "1Gi", "25%", "2026-01-01T00:00:00Z", "10.0.0.1"],
  ...[
    "::1",
    "%41",
    "$(A)",
    "{{a}}",
    "(((",
    "self.x",
    "[[:alpha:]",
    "a".repeat(300),
    "🐧".repeat(70),
  ],
];
const oddNumbers = [
  ...[0, -0, 1, -1, 1.5, 65_535, 65_536, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e21],
  ...[Number.MAX_VALUE, Number.MIN_VALUE],
];

/** Text of any code units, also of such as are no characters. */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  return fc
    .array(fc.nat({ max: 0xffff }), { maxLength })
    .map((units) => String.fromCharCode(...units));
}

const oddText = fc.oneof(fc.constantFrom(...oddTexts), anyText(8));

/** What nobody expects where something else belongs. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: oddText },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...oddNumbers, true, false, null) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>([], {}, [null], [[]], [{}], { "": "" }, [""]) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat({ max: 100_000 }),
  how: fc.constantFrom(
    "replace",
    "replace",
    "replace",
    "remove",
    "add",
    "repeat",
    "wrap",
    "rename",
  ),
  value: oddValue,
  key: oddText,
});

/** Objects that differ from one of these in a few places. */
export function mutated(objects: readonly object[]): fc.Arbitrary<object> {
  return fc
    .tuple(fc.nat({ max: objects.length - 1 }), fc.array(edit, { maxLength: 4 }))
    .map(([index, edits]) => {
      const object = structuredClone(objects[index] ?? {}) as Container;
      for (const each of edits) change(object, each);
      return object;
    });
}

type Container = Record<string, unknown> | unknown[];
type Place = readonly [holder: Container, key: string];

function change(object: Container, { at, how, key, ...edit }: Edit): void {
  // What one object is given is its own: others have it, too.
  const value = structuredClone(edit.value);
  const places = placesIn(object);
  const place = places[at % Math.max(places.length, 1)];
  if (!place) return;
  const [holder, name] = place;
  const fields = holder as Record<string, unknown>;
  const there = fields[name];
  if (how === "replace") fields[name] = value;
  else if (how === "wrap") fields[name] = [there];
  else if (how === "repeat" && Array.isArray(there)) there.push(...structuredClone(there));
  else if (how === "remove" && Array.isArray(holder)) holder.splice(Number(name), 1);
  else if (how === "remove") delete fields[name];
  else if (how === "add" && isContainer(there)) set(there, key, value);
  else if (how === "rename" && !Array.isArray(holder)) {
    delete fields[name];
    set(holder, key, there);
  }
}

/** A key of any name is a key. */
function set(holder: Container, key: string, value: unknown): void {
  if (Array.isArray(holder)) holder.push(value);
  else
    Object.defineProperty(holder, key, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
}

function placesIn(holder: Container): Place[] {
  return Object.entries(holder).flatMap(([key, value]): Place[] => [
    [holder, key],
    ...(isContainer(value) ? placesIn(value) : []),
  ]);
}

/** Pointers, as in JSON Patch, to every place of an object. */
export function pointersIn(value: unknown, path = ""): string[] {
  if (!isContainer(value)) return [path];
  const inner = Object.entries(value).flatMap(([key, each]) =>
    pointersIn(each, `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
  return [path, ...inner];
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}
