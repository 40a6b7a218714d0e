import { formatGoDocuments, type ProviderKind, parseProviderVersion } from "@rookery/components";
import type { Command } from "commander";
import { booleanFlag, withPlainBooleans } from "../boolean-flags.ts";
import type { CommandIo } from "../command.ts";
import { type ConfigFlags, configFlag } from "../config/config-flag.ts";
import { readConfig } from "../config/read-config.ts";
import { ProvidersError, UsageError } from "../errors.ts";
import { describeProvider } from "../generate/describe-provider.ts";
import { parseProviderName } from "../generate/infrastructure.ts";
import { providerComponents } from "../generate/provider-components.ts";
import { ReleaseFiles } from "../generate/release-files.ts";
import { writeResult } from "../generate/write-result.ts";
import { parseArguments } from "../parse-arguments.ts";
import { unknownProviders } from "../providers/unknown-providers.ts";

interface Flags extends ConfigFlags, Partial<Record<keyof typeof kindFlags, string>> {
  readonly targetNamespace?: string;
  readonly describe?: boolean;
  readonly raw?: boolean;
  readonly writeTo?: string;
}

const kindFlags = {
  core: ["--core", "CoreProvider"],
  bootstrap: ["-b, --bootstrap", "BootstrapProvider"],
  controlPlane: ["-c, --control-plane", "ControlPlaneProvider"],
  infrastructure: ["-i, --infrastructure", "InfrastructureProvider"],
  ipam: ["--ipam", "IPAMProvider"],
  runtimeExtension: ["--runtime-extension", "RuntimeExtensionProvider"],
  addon: ["--addon", "AddonProvider"],
} as const satisfies Record<string, readonly [flag: string, kind: ProviderKind]>;

/** Prints the components of a provider, as they would be applied. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const plain = withPlainBooleans(args, ["describe", "raw"]);
  const flags = parseArguments(plain, io, declare).opts<Flags>();
  const { version, ...provider } = readProvider(flags);
  const config = await readConfig(flags, io);
  const unknown = unknownProviders([provider], config);
  if (unknown.length > 0) throw new ProvidersError("generate anything", unknown);
  await using files = new ReleaseFiles(config, io);
  const release = await providerComponents({
    config,
    files,
    provider,
    isRaw: Boolean(flags.raw || flags.describe),
    ...(version && { version }),
    ...(flags.targetNamespace && { namespace: flags.targetNamespace }),
  });
  if (flags.describe) return io.write(describeProvider(release, io.terminal?.columns()));
  await writeResult(io, formatGoDocuments(release.components), flags.writeTo);
}

function readProvider(flags: Flags) {
  const given = Object.entries(kindFlags).flatMap(([key, [flag, kind]]) => {
    const text = flags[key as keyof typeof kindFlags];
    return text === undefined ? [] : [{ kind, ...parseProviderName(text, longOf(flag)) }];
  });
  const [first, ...more] = given;
  if (!first || more.length > 0) {
    const all = Object.values(kindFlags).map(([flag]) => longOf(flag));
    throw new UsageError(`exactly one of ${all.join(", ")} has to be given.`);
  }
  if ("version" in first && first.version) parseProviderVersion(first.version);
  return first as { kind: ProviderKind; name: string; version?: string };
}

/** "--bootstrap" of "-b, --bootstrap". */
const longOf = (flag: string) => flag.split(", ").at(-1) ?? flag;

const examples = `
Examples:
  rookery generate provider --infrastructure=vsphere:v1.12.0
  rookery generate provider --infrastructure=vsphere --describe    its variables and images
  rookery generate provider --core=cluster-api:v1.13.6 --raw       variables stay as they are`;

function declare(command: Command): Command {
  const named = command
    .name("rookery generate provider")
    .description("Prints the components of a provider, with its variables replaced.");
  for (const [flag, kind] of Object.values(kindFlags)) {
    named.option(`${flag} <name[:version]>`, `the ${kind}; the newest version where none is named`);
  }
  booleanFlag(named, "--describe", "prints what is known of the provider instead");
  booleanFlag(named, "--raw", "leaves variables as they are");
  return configFlag(named)
    .option("-n, --target-namespace <name>", "where to put them; their own namespace where absent")
    .option("--write-to <file>", "the file to write to")
    .addHelpText("after", examples);
}
