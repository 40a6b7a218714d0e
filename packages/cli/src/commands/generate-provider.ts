import { formatGoDocuments } from "@rookery/components";
import { readConfig } from "../config/read-config.ts";
import { defineCommand } from "../define-command.ts";
import { ProvidersError, UsageError } from "../errors.ts";
import { booleanFlag, type ConfigFlags, configFlag, longName } from "../flags.ts";
import { describeProvider } from "../generate/describe-provider.ts";
import { providerComponents } from "../generate/provider-components.ts";
import { writeResult } from "../generate/write-result.ts";
import { type KindKey, kindFlags } from "../providers/kind-flags.ts";
import { type NamedProvider, parseProviderName } from "../providers/provider-flags.ts";
import { unknownProviders } from "../providers/unknown-providers.ts";
import { ReleaseSources } from "../releases/release-source.ts";

interface Options extends ConfigFlags, Partial<Record<KindKey, string>> {
  readonly targetNamespace?: string;
  readonly describe?: boolean;
  readonly raw?: boolean;
  readonly writeTo?: string;
}

/** Prints the components of a provider, as they would be applied. */
export const run = defineCommand<Options>({
  description: "Prints the components of a provider, with its variables replaced.",
  examples: `  rookery generate provider --infrastructure=vsphere:v1.12.0
  rookery generate provider --infrastructure=vsphere --describe    its variables and images
  rookery generate provider --core=cluster-api:v1.13.6 --raw       does not replace variables`,
  declare(command) {
    for (const { flag, kind } of kindFlags) {
      command.option(`${flag} <name[:version]>`, `the ${kind}; the newest version by default`);
    }
    booleanFlag(command, "--describe", "prints a description of the provider instead");
    booleanFlag(command, "--raw", "does not replace variables");
    return configFlag(command)
      .option("-n, --target-namespace <name>", "their namespace; that of the release where absent")
      .option("--write-to <file>", "the file to write to");
  },
  async run(options, io) {
    const { version, ...provider } = namedProvider(options);
    const config = await readConfig(options, io);
    const unknown = unknownProviders([provider], config);
    if (unknown.length > 0) throw new ProvidersError("generate anything", unknown);
    await using sources = new ReleaseSources(config, io);
    const release = await providerComponents({
      config,
      sources,
      provider,
      isRaw: Boolean(options.raw || options.describe),
      ...(version && { version }),
      ...(options.targetNamespace && { namespace: options.targetNamespace }),
    });
    if (options.describe) return io.write(describeProvider(release, io.terminal?.columns()));
    await writeResult(io, formatGoDocuments(release.components), options.writeTo);
  },
});

function namedProvider(options: Options): NamedProvider {
  const given = kindFlags.flatMap(({ key, flag, kind }) => {
    const text = options[key];
    return text === undefined ? [] : [{ kind, ...parseProviderName(text, longName(flag)) }];
  });
  const [first, ...more] = given;
  if (first && more.length === 0) return first;
  const flags = kindFlags.map(({ flag }) => longName(flag));
  throw new UsageError(`exactly one of ${flags.join(", ")} has to be given.`);
}
