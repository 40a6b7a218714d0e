import packageJson from "../../package.json" with { type: "json" };
import type { CommandIo } from "../command.ts";
import { type Form, formatValue, isForPrograms, outputFlag } from "../output/forms.ts";
import { formatPairs } from "../output/table.ts";
import { parseArguments } from "../parse-arguments.ts";

const examples = `
Examples:
  rookery version            the version, and what runs it
  rookery version -o json    the same for programs`;

/** Which version this is, for reports of problems and for scripts. */
export function run(args: readonly string[], io: CommandIo): void {
  const { output } = parseArguments(args, io, (command) =>
    outputFlag(command, ["table", "json", "yaml"])
      .name("rookery version")
      .description("Prints the version of this command and of the Node that runs it.")
      .addHelpText("after", examples),
  ).opts<{ readonly output?: Form }>();
  const { version: rookery } = packageJson;
  const { version: node, platform, arch } = process;
  const rows: (readonly [string, string])[] = [
    ["Rookery", rookery],
    ["Node", `${node} (${platform}, ${arch})`],
  ];
  const value = { rookery, node, platform, arch };
  const width = io.terminal?.columns();
  io.write(isForPrograms(output) ? formatValue(value, output) : formatPairs(rows, { width }));
}
