import type { Provider } from "@rookery/api";
import type { Client } from "@rookery/client";
import { contractOf, FetchError, MetadataError, parseMetadata } from "@rookery/components";
import { previewMigration } from "@rookery/operator";
import { ProvidersError } from "../errors.ts";
import { listProviders, providerKeyOf } from "../providers/declared-providers.ts";
import { flagOf, isSame, type NamedProvider } from "../providers/provider-flags.ts";
import type { ReleaseSources } from "../releases/release-source.ts";

/** A provider that is declared, or that the operator will declare by itself. */
export interface PresentProvider extends NamedProvider {
  /** Undefined where it is still clusterctl's. */
  readonly provider?: Provider;
}

/** What is declared, and what clusterctl has installed and the operator takes over. */
export async function presentProviders(client: Client): Promise<readonly PresentProvider[]> {
  const declared = (await listProviders(client)).map((provider) => ({
    ...providerKeyOf(provider),
    ...(provider.spec?.version && { version: provider.spec.version }),
    provider,
  }));
  const migrations = await previewMigration(client);
  const adopted = migrations.flatMap((one) =>
    one.action === "Adopt" ? { ...one.identity, version: one.version } : [],
  );
  return [...declared, ...adopted];
}

/**
 * The contract of the core that is there, or that it will have when it runs; undefined where there is
 * none, or nobody can tell: the operator will.
 */
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

/**
 * Those that are not there yet. Errors: ProvidersError where one is there in another version than the
 * one that is wanted.
 */
export function missingAmong(
  wanted: readonly NamedProvider[],
  present: readonly PresentProvider[],
): readonly NamedProvider[] {
  const found = (one: NamedProvider) => present.find((other) => isSame(one, other));
  const problems = wanted.flatMap((one) => {
    const { version } = found(one) ?? {};
    if (version === undefined || one.version === undefined || version === one.version) return [];
    return `${one.kind} ${one.name} is there in ${version}; "rookery upgrade apply ${flagOf(one)}" changes it`;
  });
  if (problems.length > 0) throw new ProvidersError("initialize the cluster", problems);
  return wanted.filter((one) => !found(one));
}
