import type { Import } from "./imports.ts";
import { type Dependency, nameOf } from "./two-way.ts";

const shownImports = 3;

/** What was found and is not known, and what is known and was not found: a list may only shrink. */
export function notAllowed(found: ReadonlyMap<string, string>, known: readonly string[]): string[] {
  const added = [...found].filter(([name]) => !known.includes(name));
  const gone = known.filter((name) => !found.has(name));
  return [
    ...added.map(([, description]) => description),
    ...gone.map((name) => `known.json: "${name}" no longer occurs: delete the entry`),
  ];
}

export function isOfTestCode({ to }: Import): boolean {
  return /^packages\/[^/]+\/test\/|\.test\.ts$/.test(to);
}

export function describe(dependency: Dependency): string {
  const { from, to, imports } = dependency;
  const lines = imports
    .slice(0, shownImports)
    .map((one) => `\n  ${one.from} imports ${one.to}`)
    .join("");
  const more = imports.length > shownImports ? `\n  and ${imports.length - shownImports} more` : "";
  return `${nameOf(dependency)}, but ${to} also depends on ${from}${lines}${more}`;
}
