import packageJson from "../../package.json" with { type: "json" };
import type { CommandIo } from "../command.ts";
import { type Form, formatValue, isForPrograms, outputFlag } from "../output/forms.ts";
import { formatTable } from "../output/table.ts";
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
  const rows = [
    ["Rookery", rookery],
    ["Node", `${node} (${platform}, ${arch})`],
  ];
  const value = { rookery, node, platform, arch };
  io.write(isForPrograms(output) ? formatValue(value, output) : formatTable([], rows));
}
