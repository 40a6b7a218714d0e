import { formatGoDocuments } from "@rookery/components";
import { readConfig } from "../config/read-config.ts";
import { defineCommand } from "../define-command.ts";
import { ProvidersError, UsageError } from "../errors.ts";
import { booleanFlag, type ConfigFlags, configFlag, longName } from "../flags.ts";
import { type ProviderComponents, providerComponents } from "../generate/provider-components.ts";
import { writeResult } from "../generate/write-result.ts";
import { formatPairs } from "../output/table.ts";
import { type KindKey, kindFlags } from "../providers/kind-flags.ts";
import {
  type NamedProvider,
  parseProviderName,
  unknownProviders,
} from "../providers/provider-flags.ts";
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

/** What is known of a release of a provider, without its components; `width` is that of the terminal. */
function describeProvider(release: ProviderComponents, width?: number): string {
  const { provider, url, version, file, namespace, variables, images } = release;
  const facts: readonly (readonly [string, string])[] = [
    ["Name:", provider.name],
    ["Type:", provider.kind],
    ["URL:", baseOf(url)],
    ["Version:", version],
    ["File:", file],
    ["TargetNamespace:", namespace],
  ];
  const list = (title: string, items: readonly string[]) =>
    items.length > 0 ? [title, ...items.map((item) => `  - ${item}`)] : [];
  const lists = [...list("Variables:", variables), ...list("Images:", images), "", ""];
  return `${formatPairs(facts, { width, gap: 4 })}${lists.join("\n")}`;
}

/** Without the version and the file. */
function baseOf(url: string): string {
  return url.split("/").slice(0, -2).join("/").concat("/");
}
