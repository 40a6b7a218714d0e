import packageJson from "../../package.json" with { type: "json" };
import { defineCommand } from "../define-command.ts";
import { type Form, formatFor, outputFlag } from "../output/forms.ts";
import { formatPairs } from "../output/table.ts";

/** Prints the version, for reports of problems and for scripts. */
export const run = defineCommand<{ readonly output?: Form }>({
  description: "Prints the version of this command and of the Node that runs it.",
  examples: `  rookery version            the version, and that of Node
  rookery version -o json    the same for programs`,
  declare: (command) => outputFlag(command, ["table", "json", "yaml"]),
  run({ output }, io) {
    const { version: rookery } = packageJson;
    const { version: node, platform, arch } = process;
    const rows: (readonly [string, string])[] = [
      ["Rookery", rookery],
      ["Node", `${node} (${platform}, ${arch})`],
    ];
    const text = () => formatPairs(rows, { width: io.terminal?.columns() });
    io.write(formatFor(output, { rookery, node, platform, arch }, text));
  },
});
