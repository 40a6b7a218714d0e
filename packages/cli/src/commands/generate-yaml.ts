import { formatGoDocuments } from "@rookery/components";
import { readConfig } from "../config/read-config.ts";
import { defineCommand } from "../define-command.ts";
import { booleanFlag, type ConfigFlags, configFlag } from "../flags.ts";
import { formatVariableNames } from "../generate/list-variables.ts";
import { readSource } from "../generate/read-source.ts";
import { makeTemplate } from "../generate/template.ts";
import { ReleaseSources } from "../releases/release-source.ts";

interface Options extends ConfigFlags {
  readonly from: string;
  readonly listVariables?: boolean;
}

/** Prints a file of YAML with its variables replaced. */
export const run = defineCommand<Options>({
  description: "Prints YAML with its variables replaced, by the environment or the configuration.",
  examples: `  rookery generate yaml --from=template.yaml
  rookery generate yaml --from=https://example.com/template.yaml
  cat template.yaml | rookery generate yaml --list-variables`,
  declare: (command) =>
    configFlag(booleanFlag(command, "--list-variables", "prints the variables instead")).option(
      "--from <source>",
      "a file or a URL, or - for the input",
      "-",
    ),
  async run(options, io) {
    const config = await readConfig(options, io);
    await using sources = new ReleaseSources(config, io);
    const text = await readSource(options.from, { io, sources });
    const isListed = options.listVariables === true;
    const { variables, objects } = makeTemplate(text, { lookup: config.variable, isListed });
    io.write(isListed ? formatVariableNames(variables) : formatGoDocuments(objects) || "\n");
  },
});
