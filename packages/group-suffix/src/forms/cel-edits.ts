import type { GroupMapping } from "../mapping/group-mapping.ts";
import type { TextEdit } from "./form.ts";
import { messageEdits } from "./text-edits.ts";

/**
 * The origin of a CEL expression: webhooks and admission policies, the whole schema of a CRD, or a
 * part of a schema, in which `self.apiVersion` is unknown.
 */
export type CelPlace = "admission" | "schema" | "part";

interface CelEdits {
  /** Strings that are certainly a mapped group, or an apiVersion of one. */
  readonly certain: readonly TextEdit[];
  /** Other mentions of a mapped group. */
  readonly uncertain: readonly TextEdit[];
}

/** Fields with a group or an apiVersion that Kubernetes passes to expressions. */
const fields: Readonly<Record<CelPlace, ReadonlySet<string>>> = {
  admission: new Set([
    "request.kind.group",
    "request.requestKind.group",
    "request.resource.group",
    "request.requestResource.group",
    "object.apiVersion",
    "oldObject.apiVersion",
    "params.apiVersion",
  ]),
  schema: new Set(["self.apiVersion", "oldSelf.apiVersion"]),
  part: new Set(),
};

/**
 * Renames strings that are compared with such a field (`==`, `!=`, `in`, `startsWith`), and the
 * argument of `authorizer.group`. The text has one character for each byte.
 */
export function celEdits(text: string, place: CelPlace, mapping: GroupMapping): CelEdits {
  const named = messageEdits(text, mapping);
  if (named.length === 0) return { certain: [], uncertain: [] };
  const tokens = tokensOf(text);
  const expression = { tokens, known: fields[place], shadowed: shadowedIn(tokens) };
  const listed = listedIn(expression);
  const certain = tokens.flatMap((token, at) => {
    if (token.type !== "string") return [];
    return listed.has(at) || isCertain(expression, at) ? stringEdit(token, mapping) : [];
  });
  const starts = new Set(certain.map(({ start }) => start));
  return { certain, uncertain: named.filter(({ start }) => !starts.has(start)) };
}

interface Expression {
  readonly tokens: readonly Token[];
  readonly known: ReadonlySet<string>;
  /** Names that a macro redeclares: `list.exists(object, …)`. */
  readonly shadowed: ReadonlySet<string>;
}

interface Token {
  readonly type: "string" | "name" | "other";
  readonly text: string;
  readonly start: number;
}

/** Strings with an escape or a prefix are "other", because their value differs from their text. */
const pattern =
  /(?<triple>[rRbB]{0,2}(?:"""[\s\S]*?"""|'''[\s\S]*?'''))|(?<string>"[^"\\\n]*"|'[^'\\\n]*')|(?<other>[rRbB]{1,2}(?:"[^"\n]*"|'[^'\n]*')|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<unclosed>["'][\s\S]*)|\/\/[^\n]*|\s+|(?<name>[A-Za-z_]\w*)|(?<sign>[=!]=|&&|\|\||[\s\S])/g;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: all, index, groups = {} } of text.matchAll(pattern)) {
    const { triple, string, other, unclosed, name, sign } = groups;
    const found = triple ?? string ?? other ?? unclosed ?? name ?? sign;
    if (found === undefined) continue;
    const type = string !== undefined ? "string" : name !== undefined ? "name" : "other";
    tokens.push({ type, text: all, start: index });
  }
  return tokens;
}

function stringEdit({ text, start }: Token, mapping: GroupMapping): TextEdit[] {
  const value = text.slice(1, -1);
  const slash = value.indexOf("/");
  const group = slash < 0 ? value : value.slice(0, slash);
  const swapped = mapping.swap(group);
  const at = start + 1;
  return swapped === group ? [] : [{ start: at, end: at + group.length, text: swapped }];
}

/** The tokens that may precede and follow a separate comparison. */
const before = new Set(["(", "&&", "||", "?", ":", ","]);
const beforeCall = new Set([...before, "!"]);
const after = new Set([")", "&&", "||", "?", ":", ",", "]"]);

function isCertain(expression: Expression, at: number): boolean {
  return isCompared(expression, at) || isBeginning(expression, at) || isAuthorized(expression, at);
}

function isCompared(expression: Expression, at: number): boolean {
  const { tokens } = expression;
  const isSign = (i: number) => /^[=!]=$/.test(tokens[i]?.text ?? "");
  if (isSign(at - 1)) return endsField(expression, at - 2) && isFree(tokens, at + 1, after);
  if (!isSign(at + 1) || !isFree(tokens, at - 1, before)) return false;
  const end = fieldEnd(tokens, at + 2);
  return endsField(expression, end - 1, { from: at + 2 }) && isFree(tokens, end, after);
}

/** The strings of `<field> in ['<group>', '<group>']`. */
function listedIn(expression: Expression): ReadonlySet<number> {
  const { tokens } = expression;
  const listed = new Set<number>();
  tokens.forEach(({ text }, open) => {
    if (text !== "[" || tokens[open - 1]?.text !== "in") return;
    let end = open + 1;
    while (tokens[end]?.type === "string" || tokens[end]?.text === ",") end++;
    const isWhole = tokens[end]?.text === "]" && isFree(tokens, end + 1, after);
    if (!isWhole || !endsField(expression, open - 2)) return;
    for (let i = open + 1; i < end; i++) listed.add(i);
  });
  return listed;
}

function shadowedIn(tokens: readonly Token[]): ReadonlySet<string> {
  const names = tokens.filter((_, i) => tokens[i - 1]?.text === "(" && tokens[i + 1]?.text === ",");
  return new Set(names.map(({ text }) => text));
}

/** `object.apiVersion.startsWith('<group>/')`. */
function isBeginning(expression: Expression, at: number): boolean {
  const { tokens } = expression;
  return (
    tokens[at]?.text.includes("/") === true &&
    isCall(tokens, at, "startsWith") &&
    endsField(expression, at - 4, { free: beforeCall })
  );
}

/** `authorizer.group('<group>')`. */
function isAuthorized({ tokens, shadowed }: Expression, at: number): boolean {
  return (
    isCall(tokens, at, "group") &&
    tokens[at - 4]?.text === "authorizer" &&
    tokens[at - 5]?.text !== "." &&
    !shadowed.has("authorizer")
  );
}

/** Whether the string is the only argument of the method. */
function isCall(tokens: readonly Token[], at: number, name: string): boolean {
  const [dot, method, open, close] = [at - 3, at - 2, at - 1, at + 1].map((i) => tokens[i]?.text);
  return dot === "." && method === name && open === "(" && close === ")";
}

/** The end of a name with its fields. */
function fieldEnd(tokens: readonly Token[], start: number): number {
  let end = start + 1;
  while (tokens[end]?.text === "." && tokens[end + 1]?.type === "name") end += 2;
  return end;
}

/** Whether a known field ends at this token and begins an operand. */
function endsField(
  { tokens, known, shadowed }: Expression,
  last: number,
  { from, free = before }: { readonly from?: number; readonly free?: ReadonlySet<string> } = {},
): boolean {
  let first = last;
  while (tokens[first - 1]?.text === "." && tokens[first - 2]?.type === "name") first -= 2;
  const field = tokens
    .slice(first, last + 1)
    .map(({ text }) => text)
    .join("");
  if (!known.has(field) || shadowed.has(tokens[first]?.text ?? "")) return false;
  return from === undefined ? isFree(tokens, first - 1, free) : first === from;
}

/** Whether the place is empty or ends an operand. */
function isFree(tokens: readonly Token[], at: number, signs: ReadonlySet<string>): boolean {
  const token = tokens[at];
  return token === undefined || (token.type === "other" && signs.has(token.text));
}
