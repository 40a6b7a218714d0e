import { readFile } from "node:fs/promises";
import { renderOperatorRbac } from "@rookery/operator";
import { stringify } from "yaml";
import type { CommandIo } from "../command.ts";
import { parseArguments } from "../parse-arguments.ts";

interface Options {
  readonly filename: readonly string[];
  readonly namespace: string;
  readonly targetNamespace?: string;
}

const examples = `
Examples:
  rookery operator rbac -f core-components.yaml -f infrastructure-components.yaml | kubectl apply -f -
  cat components.yaml | rookery operator rbac -f - --target-namespace capi-system`;

/** One YAML document a role or binding, ready for `kubectl apply -f -`. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const { filename, ...options } = parseArguments(args, io, (command) =>
    command
      .name("rookery operator rbac")
      .description(
        "Prints the smallest roles with which the operator can install and delete some providers, " +
          "to be applied over those that it comes with.",
      )
      .requiredOption(
        "-f, --filename <file>",
        "a components file of a provider, or - for the input; may be repeated",
        (file: string, files: readonly string[] = []) => [...files, file],
      )
      .option("--namespace <name>", "where the operator's pods are", "rookery-system")
      .option(
        "--target-namespace <name>",
        "where the providers are installed, if not where their components say",
      )
      .addHelpText("after", examples),
  ).opts<Options>();
  const read = (file: string) => (file === "-" ? io.readInput() : readFile(file, "utf8"));
  const files = await Promise.all(filename.map(read));
  for (const manifest of await renderOperatorRbac(files, { ...options, env: io.env })) {
    io.write(`---\n${stringify(manifest, { lineWidth: 0, aliasDuplicateObjects: false })}`);
  }
}
