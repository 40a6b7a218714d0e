import type { FlagTable } from "./flag.ts";

/** The help of a table of flags, in its order: a line for each, or two where its name is long. */
export function flagsHelp(table: FlagTable): string {
  const rows = Object.entries(table).map(([name, { valueName, help, defaultText }]) => ({
    left: `  --${name}${valueName === undefined ? "" : ` ${valueName}`}`,
    right: defaultText === undefined ? help : `${help} (default ${defaultText})`,
  }));
  const width = Math.max(...rows.map(({ left }) => left.length)) + 3;
  return rows.map(({ left, right }) => `${left.padEnd(width)}${right}\n`).join("");
}
