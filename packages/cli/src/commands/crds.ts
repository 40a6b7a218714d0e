import { customResourceDefinitions } from "@rookery/api";
import { stringify } from "yaml";
import type { CommandIo } from "../command.ts";
import { parseArguments } from "../parse-arguments.ts";

const examples = `
Examples:
  rookery crds | kubectl apply --server-side -f -`;

/** One YAML document a kind, ready for `kubectl apply -f -`. */
export function run(args: readonly string[], io: CommandIo): void {
  parseArguments(args, io, (command) =>
    command
      .name("rookery crds")
      .description("Prints the CustomResourceDefinitions of every kind that Rookery serves.")
      .addHelpText("after", examples),
  );
  for (const definition of customResourceDefinitions()) {
    io.write(`---\n${stringify(definition, { lineWidth: 0 })}`);
  }
}
