import {
  imagesOf,
  overrideImage,
  parseComponents,
  providerLabel,
  replaceVariables,
} from "@rookery/components";
import { Option } from "commander";
import type { CommandIo } from "../command.ts";
import { configFlag } from "../config/config-flag.ts";
import { type CommandConfig, readConfig } from "../config/read-config.ts";
import { ProvidersError } from "../errors.ts";
import { chooseProviders } from "../init/choose-providers.ts";
import { type PlannedProvider, planInit } from "../init/plan-init.ts";
import { operatorImage } from "../operator/operator-image.ts";
import { formatValue } from "../output/forms.ts";
import { parseArguments } from "../parse-arguments.ts";
import { type ProviderFlags, providerFlags } from "../providers/provider-flags.ts";
import { unknownProviders } from "../providers/unknown-providers.ts";
import { ReleaseSources } from "../releases/release-source.ts";

interface Options extends ProviderFlags {
  readonly config?: string;
  readonly output?: "json";
}

const examples = `
Examples:
  rookery init list-images                              those of a first init
  rookery init list-images -i vsphere:v1.13.0           with those of a provider`;

/** One image a line: what has to be there for an init, such as in a mirror. No cluster is asked. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const options = parseArguments(args, io, (command) =>
    configFlag(providerFlags(command))
      .name("rookery init list-images")
      .description("Prints the images that an init on an empty cluster would run.")
      .addOption(new Option("-o, --output <form>", "for programs").choices(["json"]))
      .addHelpText("after", examples),
  ).opts<Options>();
  const config = await readConfig(options, io);
  await using sources = new ReleaseSources(config, io);
  const chosen = chooseProviders(options, []);
  const unknown = unknownProviders(chosen, config);
  if (unknown.length > 0) throw new ProvidersError("list images", unknown);
  const planned = await planInit(chosen, {
    sources,
    config,
    withoutValues: true,
  });
  const images = planned.flatMap((one) => imagesOfProvider(one, config));
  const all = [...new Set([operatorImage(config.images), ...images])].sort();
  io.write(options.output ? formatValue(all, options.output) : `${all.join("\n")}\n`);
}

function imagesOfProvider(
  { identity, release }: PlannedProvider,
  { variable, images }: CommandConfig,
): readonly string[] {
  const components = parseComponents(
    replaceVariables(release.components, (name) => variable(name) ?? ""),
  );
  return imagesOf(components).map((image) => overrideImage(image, providerLabel(identity), images));
}
