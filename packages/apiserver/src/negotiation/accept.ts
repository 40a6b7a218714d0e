import { RecentValues } from "../recent-values.ts";

/** One clause of an Accept header. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  /** Without "q". */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Of headers that came lately: a client sends the same one with each request. */
const known = new RecentValues<readonly AcceptClause[]>(64);

/** The clauses of an Accept header, the best first. What is no media range is left out. */
export function parseAccept(header: string): readonly AcceptClause[] {
  return known.get(header, () => {
    const clauses = header.split(",").flatMap((part) => parseClause(part) ?? []);
    return clauses.toSorted(compareClauses);
  });
}

function parseClause(part: string): AcceptClause | undefined {
  const [range = "", ...rest] = part.split(";");
  const [type = "", subtype, ...more] = range.split("/").map((text) => text.trim());
  if (more.length > 0 || (subtype ?? "") === "" ? type !== "*" : false) return undefined;
  const parameters = new Map<string, string>();
  for (const parameter of rest) {
    const [name = "", value = "", ...others] = parameter.split("=").map((text) => text.trim());
    if (value !== "" && others.length === 0) parameters.set(name, value);
  }
  const quality = parameters.has("q") ? Number(parameters.get("q")) || 0 : 1;
  parameters.delete("q");
  return { type, subtype: subtype || "*", quality, parameters };
}

/** By quality, then the more specific one; else the order of the header stays. */
function compareClauses(a: AcceptClause, b: AcceptClause): number {
  return b.quality - a.quality || wildcards(a) - wildcards(b);
}

function wildcards({ type, subtype }: AcceptClause): number {
  return Number(type === "*") + Number(subtype === "*");
}
