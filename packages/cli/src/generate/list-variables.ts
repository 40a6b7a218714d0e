import type { Variable } from "@rookery/components";

/** Which variables have to be set, and which may be. */
export function formatVariables(variables: readonly Variable[]): string {
  const required = variables.filter((one) => one.default === undefined);
  const optional = variables.filter((one) => one.default !== undefined);
  const width = Math.max(0, ...optional.map(({ name }) => name.length));
  const lines = [
    ...(required.length > 0 ? ["Required Variables:"] : []),
    ...required.map(({ name }) => `  - ${name}`),
    ...(optional.length > 0 ? ["", "Optional Variables:"] : []),
    ...optional.map((one) => `  - ${one.name.padEnd(width)}  (defaults to ${one.default})`),
  ];
  return [...lines, "", ""].join("\n");
}

/** Their names alone. */
export function formatVariableNames(variables: readonly Variable[]): string {
  if (variables.length === 0) return "\n";
  return `Variables:\n${variables.map(({ name }) => `  - ${name}\n`).join("")}`;
}
