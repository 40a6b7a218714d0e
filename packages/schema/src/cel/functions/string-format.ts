import type { Meter } from "../meter.ts";
import { CelError, type CelList, type Value } from "../values/value.ts";
import { FORMATTERS } from "./string-formatters.ts";

export interface Clause {
  readonly verb: string;
  readonly precision: number | undefined;
}

/** The literal text and the clauses of a format string. */
export type FormatParts = readonly (string | Clause)[];

const CLAUSE = /%%|%(?:\.([0-9]*))?([\s\S]?)/g;

/** Throws a FormatError. */
export function parseFormat(format: string): FormatParts {
  const parts: (string | Clause)[] = [];
  let last = 0;
  for (const match of format.matchAll(CLAUSE)) {
    parts.push(format.slice(last, match.index));
    parts.push(match[0] === "%%" ? "%" : clauseOf(match));
    last = match.index + match[0].length;
  }
  parts.push(format.slice(last));
  return parts;
}

export class FormatError extends Error {}

function clauseOf(match: RegExpExecArray): Clause {
  const [, digits, verb = ""] = match;
  if (verb === "" && digits === undefined) throw new FormatError("unexpected end of string");
  if (verb === "")
    throw badClause("error while parsing precision: could not find end of precision specifier");
  if (digits === "") {
    const reason = 'strconv.Atoi: parsing "": invalid syntax';
    throw badClause(
      `error while parsing precision: error while converting precision to integer: ${reason}`,
    );
  }
  if (!FORMATTERS.has(verb)) throw badClause(`unrecognized formatting clause "${verb}"`);
  return { verb, precision: digits === undefined ? undefined : Number(digits) };
}

function badClause(reason: string): FormatError {
  return new FormatError(`could not parse formatting clause: ${reason}`);
}

export function formatString([format, args]: [string, CelList], meter: Meter): Value {
  try {
    return render(parseFormat(format), args, meter);
  } catch (error) {
    if (error instanceof FormatError) return new CelError(error.message);
    throw error;
  }
}

function render(parts: FormatParts, args: CelList, meter: Meter): string {
  let index = 0;
  let text = "";
  for (const part of parts) {
    const piece = typeof part === "string" ? part : renderClause(part, args, index++);
    meter.work(piece.length);
    text += piece;
  }
  return text;
}

function renderClause(clause: Clause, args: CelList, index: number): string {
  if (index >= args.size) throw new FormatError(`index ${index} out of range`);
  const rendered = FORMATTERS.get(clause.verb)?.(args.at(index), clause.precision);
  if (rendered === undefined) throw new FormatError("no such formatting clause");
  if (typeof rendered === "string") return rendered;
  throw new FormatError(`error during formatting: ${rendered.problem}`);
}
