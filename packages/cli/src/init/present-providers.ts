import type { Provider } from "@rookery/api";
import type { Client } from "@rookery/client";
import { contractOf, FetchError, MetadataError, parseMetadata } from "@rookery/components";
import { type Migration, previewMigration } from "@rookery/operator";
import { listProviders, type ProviderKey, providerKeyOf } from "../providers/declared-providers.ts";
import type { NamedProvider } from "../providers/provider-flags.ts";
import type { ReleaseSources } from "../releases/release-source.ts";

/** A provider that is declared, or that the operator will adopt. */
export interface PresentProvider extends NamedProvider, ProviderKey {
  /** Undefined for a provider of clusterctl. */
  readonly provider?: Provider;
}

/** The declared providers, and those of clusterctl that the operator adopts. */
export async function presentProviders(client: Client): Promise<readonly PresentProvider[]> {
  const declared = (await listProviders(client)).map((provider) => ({
    ...providerKeyOf(provider),
    ...(provider.spec?.version && { version: provider.spec.version }),
    provider,
  }));
  const migrations = await previewMigration(client);
  const adopted = migrations.flatMap((one) =>
    one.action === "Adopt" ? { ...adoptedKey(one), version: one.version } : [],
  );
  return [...declared, ...adopted];
}

function adoptedKey({ identity, manifest }: Migration & { readonly action: "Adopt" }): ProviderKey {
  return { ...identity, namespace: manifest.metadata.namespace ?? "" };
}

/** The contract of the installed core; undefined without a core, or if its metadata can't be read. */
export async function coreContract(
  present: readonly PresentProvider[],
  sources: ReleaseSources,
): Promise<string | undefined> {
  const core = present.find(({ kind }) => kind === "CoreProvider");
  const known = core?.provider?.status?.contract;
  if (known !== undefined || core?.version === undefined) return known;
  try {
    const { metadata } = sources.open(core, core.provider);
    return contractOf(parseMetadata(await metadata(core.version)), core.version);
  } catch (error) {
    if (error instanceof FetchError || error instanceof MetadataError) return undefined;
    throw error;
  }
}
