import type { Import } from "./imports.ts";
import { type Dependency, nameOf, twoWayDependencies } from "./two-way.ts";

const shownImports = 3;

/** What `npm run check` rejects; `known` names the two-way dependencies that are still allowed. */
export function problemsOf(imports: readonly Import[], known: readonly string[]): string[] {
  const found = twoWayDependencies(imports);
  const names = new Set(found.map(nameOf));
  return [
    ...imports.filter(isOfTestCode).map(({ from, to }) => `${from} imports test code: ${to}`),
    ...found.filter((one) => !known.includes(nameOf(one))).map(describe),
    ...known
      .filter((name) => !names.has(name))
      .map((name) => `known-two-way.json: "${name}" no longer occurs: delete the entry`),
  ];
}

function isOfTestCode({ to }: Import): boolean {
  return /^packages\/[^/]+\/test\/|\.test\.ts$/.test(to);
}

function describe(dependency: Dependency): string {
  const { from, to, imports } = dependency;
  const lines = imports
    .slice(0, shownImports)
    .map((one) => `\n  ${one.from} imports ${one.to}`)
    .join("");
  const more = imports.length > shownImports ? `\n  and ${imports.length - shownImports} more` : "";
  return `${nameOf(dependency)}, but ${to} also depends on ${from}${lines}${more}`;
}
