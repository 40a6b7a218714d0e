import {
  imagesOf,
  overrideImage,
  parseComponents,
  providerLabel,
  replaceVariables,
} from "@rookery/components";
import { Option } from "commander";
import { type CommandConfig, readConfig } from "../config/read-config.ts";
import { defineCommand } from "../define-command.ts";
import { ProvidersError } from "../errors.ts";
import { type ConfigFlags, configFlag } from "../flags.ts";
import { chooseProviders } from "../init/choose-providers.ts";
import { type PlannedProvider, planInit } from "../init/plan-init.ts";
import { operatorImage } from "../operator/operator-image.ts";
import { formatValue } from "../output/forms.ts";
import {
  type ProviderFlags,
  providerFlags,
  unknownProviders,
} from "../providers/provider-flags.ts";
import { ReleaseSources } from "../releases/release-source.ts";

interface Options extends ProviderFlags, ConfigFlags {
  readonly output?: "json";
}

/** Prints one image a line, such as for a mirror. No cluster is needed. */
export const run = defineCommand<Options>({
  description: "Prints the images that an init on an empty cluster would run.",
  examples: `  rookery init list-images                              those of a first init
  rookery init list-images -i vsphere:v1.13.0           with those of a provider`,
  declare: (command) =>
    configFlag(providerFlags(command)).addOption(
      new Option("-o, --output <form>", "for programs").choices(["json"]),
    ),
  async run(options, io) {
    const config = await readConfig(options, io);
    await using sources = new ReleaseSources(config, io);
    const chosen = chooseProviders(options, []);
    const unknown = unknownProviders(chosen, config);
    if (unknown.length > 0) throw new ProvidersError("list images", unknown);
    const planned = await planInit(chosen, { sources, config, withoutValues: true });
    const images = planned.flatMap((one) => imagesOfProvider(one, config));
    const all = [...new Set([operatorImage(config.images), ...images])].sort();
    io.write(options.output ? formatValue(all, options.output) : `${all.join("\n")}\n`);
  },
});

function imagesOfProvider(
  { identity, release }: PlannedProvider,
  { variable, images }: CommandConfig,
): readonly string[] {
  const text = replaceVariables(release.components, (name) => variable(name) ?? "");
  return imagesOf(parseComponents(text)).map((image) =>
    overrideImage(image, providerLabel(identity), images),
  );
}
