import type { Variable } from "@rookery/components";
import { formatPairs } from "../output/table.ts";

/** The required and the optional variables; `width` is that of the terminal. */
export function formatVariables(variables: readonly Variable[], width?: number): string {
  const required = variables.filter((one) => one.default === undefined);
  const optional = variables.filter((one) => one.default !== undefined);
  const defaults = optional.map((one): readonly [string, string] => [
    one.name,
    `(defaults to ${one.default})`,
  ]);
  const lines = [
    ...(required.length > 0 ? ["Required Variables:"] : []),
    ...required.map(({ name }) => `  - ${name}`),
    ...(optional.length > 0 ? ["", "Optional Variables:"] : []),
  ];
  const listed = formatPairs(defaults, { width, indent: "  - ", gap: 2 });
  return `${lines.map((line) => `${line}\n`).join("")}${listed}\n`;
}

export function formatVariableNames(variables: readonly Variable[]): string {
  if (variables.length === 0) return "\n";
  return `Variables:\n${variables.map(({ name }) => `  - ${name}\n`).join("")}`;
}
