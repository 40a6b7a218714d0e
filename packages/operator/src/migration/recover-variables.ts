import {
  type Component,
  inspectVariables,
  parseComponents,
  replaceVariables,
} from "@rookery/components";
import { decodedData } from "../state/state-secrets.ts";

interface RecoveryInput {
  /** The components file, with its variables. */
  readonly text: string;
  /** Renders components for the namespace of the provider. */
  readonly place: (components: readonly Component[]) => readonly Component[];
  /** A component in the cluster. */
  readonly running: (component: Component) => Promise<Component | undefined>;
}

interface RecoveredVariables {
  readonly values: ReadonlyMap<string, string>;
  /** Variables without a value, or with different ones. */
  readonly unknown: readonly string[];
}

/** Values from objects that users may write: they must stay a part of one scalar. */
const harmless = /^[\w.,:/@=+-]*$/;

/** Reads the values of variables by a comparison of a file with the objects in the cluster. */
export async function recoverVariables({
  text,
  place,
  running,
}: RecoveryInput): Promise<RecoveredVariables> {
  const names = inspectVariables(text).map(({ name }) => name);
  if (names.length === 0) return { values: new Map(), unknown: [] };
  const marks = new Map(names.map((name, index) => [`rookery-mark-${index}-x`, name]));
  const markOf = new Map([...marks].map(([mark, name]) => [name, mark]));
  const marked = place(parseComponents(replaceVariables(text, (name) => markOf.get(name))));
  const found = new Map<string, Set<string>>();
  for (const component of marked) {
    if (!isMarked(component)) continue;
    const actual = await running(component);
    if (actual === undefined) continue;
    for (const [mark, text] of valuesIn(withPlainData(component), withPlainData(actual))) {
      const name = marks.get(mark) ?? "";
      found.set(name, (found.get(name) ?? new Set()).add(text));
    }
  }
  const values = new Map<string, string>();
  for (const [name, [first, ...others]] of found) {
    if (first !== undefined && others.length === 0) values.set(name, first);
  }
  return { values, unknown: names.filter((name) => !values.has(name)) };
}

const markPattern = /rookery-mark-\d+-x/g;

function isMarked(part: unknown): boolean {
  return JSON.stringify(part).includes("rookery-mark-");
}

/** The API server stores stringData of a Secret in data. */
function withPlainData(component: Component): object {
  const { kind, stringData, data } = component as Component & SecretData;
  if (kind !== "Secret") return component;
  return { ...component, stringData: { ...decodedData(data), ...stringData } };
}

interface SecretData {
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
}

type Value = readonly [mark: string, value: string];

function valuesIn(marked: unknown, actual: unknown): readonly Value[] {
  if (typeof marked === "string") return valuesInText(marked, actual);
  if (typeof marked !== "object" || marked === null || !isMarked(marked)) return [];
  if (Array.isArray(marked)) {
    if (!Array.isArray(actual)) return [];
    return marked.flatMap((item, index) => valuesInItem(item, index, actual));
  }
  if (typeof actual !== "object" || actual === null) return [];
  const fields = actual as Readonly<Record<string, unknown>>;
  return Object.entries(marked).flatMap(([key, part]) =>
    Object.hasOwn(fields, key) ? valuesIn(part, fields[key]) : [],
  );
}

/** Other writers may have inserted items: texts are matched by pattern, objects by name. */
function valuesInItem(item: unknown, index: number, actual: readonly unknown[]): readonly Value[] {
  if (typeof item === "string") {
    return actual.map((one) => valuesInText(item, one)).find(({ length }) => length > 0) ?? [];
  }
  const name = nameOf(item);
  const same = name === undefined ? actual[index] : actual.find((one) => nameOf(one) === name);
  return valuesIn(item, same);
}

function nameOf(item: unknown): unknown {
  return typeof item === "object" && item !== null && "name" in item ? item.name : undefined;
}

/** Matches each literal part at its first place, in time proportional to the text. */
function valuesInText(marked: string, actual: unknown): readonly Value[] {
  const marks = marked.match(markPattern);
  if (marks === null || !["string", "number", "boolean"].includes(typeof actual)) return [];
  const text = String(actual);
  const [first = "", ...literals] = marked.split(markPattern);
  if (!text.startsWith(first)) return [];
  let start = first.length;
  const values: Value[] = [];
  for (const [index, literal] of literals.entries()) {
    const isLast = index === literals.length - 1;
    if (literal === "" && !isLast) return [];
    const end = isLast ? text.length - literal.length : text.indexOf(literal, start);
    if (end < start || !text.startsWith(literal, end)) return [];
    const value = text.slice(start, end);
    if (!harmless.test(value)) return [];
    values.push([marks[index] ?? "", value]);
    start = end + literal.length;
  }
  return values;
}
