import { formatGoDocuments } from "@rookery/components";
import { booleanFlag, withPlainBooleans } from "../boolean-flags.ts";
import type { CommandIo } from "../command.ts";
import { type ConfigFlags, configFlag } from "../config/config-flag.ts";
import { readConfig } from "../config/read-config.ts";
import { formatVariableNames } from "../generate/list-variables.ts";
import { readSource } from "../generate/read-source.ts";
import { ReleaseFiles } from "../generate/release-files.ts";
import { makeTemplate } from "../generate/template.ts";
import { parseArguments } from "../parse-arguments.ts";

interface Flags extends ConfigFlags {
  readonly from: string;
  readonly listVariables?: boolean;
}

const examples = `
Examples:
  rookery generate yaml --from=template.yaml
  rookery generate yaml --from=https://example.com/template.yaml
  cat template.yaml | rookery generate yaml --list-variables`;

/** Prints a file of YAML with its variables replaced. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const flags = parseArguments(withPlainBooleans(args, ["list-variables"]), io, (command) =>
    configFlag(booleanFlag(command, "--list-variables", "prints the variables instead"))
      .name("rookery generate yaml")
      .description(
        "Prints YAML with its variables replaced, by the environment or the configuration.",
      )
      .option("--from <source>", "a file or a URL, or - for the input", "-")
      .addHelpText("after", examples),
  ).opts<Flags>();
  const config = await readConfig(flags, io);
  await using files = new ReleaseFiles(config, io);
  const reader = { io, downloader: files.downloader, variable: config.variable };
  const text = await readSource(flags.from, reader);
  const isListed = flags.listVariables === true;
  const { variables, objects } = makeTemplate(text, { lookup: config.variable, isListed });
  io.write(isListed ? formatVariableNames(variables) : formatGoDocuments(objects) || "\n");
}
