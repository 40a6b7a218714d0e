import { ParseError } from "../errors.ts";
import type { Selector, Values } from "./selector.ts";

export interface FieldRequirement {
  readonly field: string;
  readonly operator: "=" | "!=";
  readonly value: string;
}

class FieldRequirements implements Selector<FieldRequirement> {
  readonly requirements: readonly FieldRequirement[];

  constructor(requirements: readonly FieldRequirement[]) {
    this.requirements = requirements;
  }

  get isEmpty(): boolean {
    return this.requirements.length === 0;
  }

  /** A missing field is "". */
  matches(fields: Values): boolean {
    return this.requirements.every(({ field, operator, value }) => {
      const actual = Object.hasOwn(fields, field) ? fields[field] : "";
      return (actual === value) === (operator === "=");
    });
  }

  requiredValue(field: string): string | undefined {
    return this.requirements.find((term) => term.operator === "=" && term.field === field)?.value;
  }

  toString(): string {
    return this.requirements
      .map(({ field, operator, value }) => `${field}${operator}${escapeValue(value)}`)
      .join(",");
  }
}

export function fieldSelectorOf(
  requirements: readonly FieldRequirement[],
): Selector<FieldRequirement> {
  return new FieldRequirements(requirements);
}

/** "metadata.namespace!=a,metadata.namespace!=b". */
export function namespacesExcludedSelector(
  namespaces: readonly string[],
): Selector<FieldRequirement> {
  return fieldSelectorOf(
    namespaces.map((value) => ({ field: "metadata.namespace", operator: "!=", value })),
  );
}

/**
 * Reads "a=b,c!=d" and sorts the terms. Values escape "\", "," and "=" with a backslash. Throws a
 * ParseError with Kubernetes' reason.
 */
export function parseFieldSelector(text: string): Selector<FieldRequirement> {
  const terms = splitTerms(text)
    .sort()
    .filter((term) => term !== "")
    .map((term) => parseTerm(term, text));
  return new FieldRequirements(terms.filter(({ field, value }) => field !== "" || value !== ""));
}

/** Splits at unescaped commas. */
function splitTerms(text: string): string[] {
  return text.match(/(?:\\[\s\S]|[^,\\]|\\$)+/g) ?? [];
}

function parseTerm(term: string, text: string): FieldRequirement {
  const match = /!=|==?/.exec(term);
  if (match === null) {
    const reason = `invalid selector: '${text}'; can't understand '${term}'`;
    throw new ParseError("field selector", text, reason);
  }
  const value = unescapeValue(term.slice(match.index + match[0].length), text);
  const field = term.slice(0, match.index);
  return { field, operator: match[0] === "!=" ? "!=" : "=", value };
}

function escapeValue(value: string): string {
  return value.replace(/[\\,=]/g, "\\$&");
}

function unescapeValue(value: string, text: string): string {
  return value.replace(/\\([\s\S]?)|[,=]/gu, (found, escaped?: string) => {
    if (escaped !== undefined && /^[\\,=]$/.test(escaped)) return escaped;
    const why = found.startsWith("\\")
      ? `invalid escape sequence: ${found}`
      : `unescaped character in value: ${found.charCodeAt(0)}`;
    throw new ParseError("field selector", text, `invalid field selector: ${why}`);
  });
}
