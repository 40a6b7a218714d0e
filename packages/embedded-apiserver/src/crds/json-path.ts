import { isRecord } from "@rookery/kube";

/** Selects values from the values of the step before. */
type Step = (values: readonly unknown[]) => unknown[];

/** A compiled JSONPath of a column or a selectable field. */
export interface JsonPath {
  /** Returns all values at the path. */
  find(value: unknown): readonly unknown[];
}

/** Parses Kubernetes' form of JSONPath; undefined for invalid text. */
export function parseJsonPath(text: string): JsonPath | undefined {
  const steps = readSteps(text);
  if (!steps) return undefined;
  return {
    find: (value) => steps.reduce<readonly unknown[]>((found, step) => step(found), [value]),
  };
}

/** Names with escaped dots, a wildcard, a name in quotes, something in brackets, or descent. */
const token =
  /\.\.(?:\[|(?<below>(?:\\.|[^.[\]\s\\])+))|\.(?<name>(?:\\.|[^.[\]\s\\])*)|\[(?<inside>(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^\]'"])*)\]/y;

function readSteps(text: string): Step[] | undefined {
  const steps: Step[] = [];
  token.lastIndex = 0;
  let at = text.startsWith("$") || text.startsWith("@") ? 1 : 0;
  while (at < text.length) {
    token.lastIndex = at;
    const match = token.exec(text);
    const step = match?.groups && stepOf(match.groups);
    if (!match || !step) return undefined;
    steps.push(step);
    at += match[0].length;
  }
  return steps;
}

function stepOf(groups: Readonly<Record<string, string | undefined>>): Step | undefined {
  const { below, name, inside } = groups;
  if (below !== undefined) return descend(below);
  if (name !== undefined) return name === "" ? (values) => [...values] : fieldStep(name);
  return inside === undefined ? undefined : bracketStep(inside.trim());
}

function fieldStep(name: string): Step {
  if (name === "*") return (values) => values.flatMap(partsOf);
  const field = name.replace(/\\(.)/g, "$1");
  return (values) => values.flatMap((value) => fieldOf(value, field));
}

function fieldOf(value: unknown, name: string): unknown[] {
  if (!isRecord(value) || !Object.hasOwn(value, name)) return [];
  return [value[name]];
}

function partsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return isRecord(value) ? Object.values(value) : [];
}

function descend(name: string): Step {
  const all = (value: unknown): unknown[] => [value, ...partsOf(value).flatMap(all)];
  const step = fieldStep(name);
  return (values) => step(values.flatMap(all));
}

function bracketStep(inside: string): Step | undefined {
  if (inside === "*") return (values) => values.flatMap(partsOf);
  if (inside.startsWith("?")) return filterStep(inside);
  if (/^(?:'.*'|".*")$/.test(inside)) {
    const names = inside.match(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/g) ?? [];
    const fields = names.map((each) => each.slice(1, -1).replace(/\\(.)/g, "$1"));
    return (values) => values.flatMap((value) => fields.flatMap((name) => fieldOf(value, name)));
  }
  return indexStep(inside);
}

/** An index, several of them, or a slice "from:to:step". */
function indexStep(inside: string): Step | undefined {
  const parts = inside.split(",").map((part) => part.trim());
  if (!parts.every((part) => /^-?\d+$|^-?\d*:-?\d*(?::\d*)?$/.test(part))) return undefined;
  return (values) =>
    values.flatMap((value) =>
      Array.isArray(value) ? parts.flatMap((part) => itemsAt(value, part)) : [],
    );
}

function itemsAt(list: readonly unknown[], part: string): unknown[] {
  if (!part.includes(":")) {
    const index = Number(part);
    const item = index < 0 ? list.length + index : index;
    return item >= 0 && item < list.length ? [list[item]] : [];
  }
  const [from = "", to = "", by = ""] = part.split(":");
  const step = by === "" ? 1 : Math.max(Number(by), 1);
  const slice = list.slice(from === "" ? 0 : Number(from), to === "" ? undefined : Number(to));
  return slice.filter((_, index) => index % step === 0);
}

const comparison = /^\?\(\s*(?<left>.+?)\s*(?:(?<operator>==|!=|<=|>=|<|>)\s*(?<right>.+?)\s*)?\)$/;

/** A filter by a comparison, `?(@.type=="Ready")`, or by existence, `?(@.type)`. */
function filterStep(inside: string): Step | undefined {
  const { left, operator, right } = comparison.exec(inside)?.groups ?? {};
  const leftOf = left === undefined ? undefined : operandOf(left);
  const rightOf = right === undefined ? undefined : operandOf(right);
  if (!leftOf || (operator !== undefined && !rightOf)) return undefined;
  const holds = (item: unknown): boolean => {
    const found = leftOf(item);
    if (operator === undefined || !rightOf) return found.length > 0;
    const [a] = found;
    const [b] = rightOf(item);
    return found.length === 1 && b !== undefined && compare(a, b, operator);
  };
  return (values) => values.flatMap((value) => partsOf(value).filter(holds));
}

type Operand = (item: unknown) => readonly unknown[];

function operandOf(text: string): Operand | undefined {
  if (text.startsWith("@")) return parseJsonPath(text)?.find;
  const quoted = /^'(.*)'$|^"(.*)"$/.exec(text);
  if (quoted) {
    const value = quoted[1] ?? quoted[2] ?? "";
    return () => [value];
  }
  if (text === "true" || text === "false") return () => [text === "true"];
  const number = Number(text);
  return text === "" || Number.isNaN(number) ? undefined : () => [number];
}

function compare(a: unknown, b: unknown, operator: string): boolean {
  if (operator === "==") return a === b;
  if (operator === "!=") return a !== b;
  if (typeof a !== typeof b || (typeof a !== "number" && typeof a !== "string")) return false;
  const [left, right] = [a, b as typeof a];
  switch (operator) {
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    default:
      return left >= right;
  }
}
