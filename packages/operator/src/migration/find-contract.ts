import { type Client, getOptional } from "@rookery/client";
import {
  contractOf,
  Downloader,
  FetchError,
  MetadataError,
  openRepository,
  type ProviderIdentity,
  parseMetadata,
} from "@rookery/components";
import type { KubeObject } from "@rookery/kube";
import { customResourceDefinitions } from "../resources.ts";
import { contractOfClusters, contractOfLabels } from "./installed-contract.ts";
import type { Adoption } from "./migrate.ts";
import { configuredSource, type SettingsSources } from "./recover-settings.ts";

type ContractSources = Omit<SettingsSources, "imageOverrides">;

/**
 * The contract that an installed provider abides by: what its release says, where it can be fetched;
 * else what is in the cluster, of a core the version that Clusters are stored in, of any other the
 * labels of its CRDs.
 */
export async function findContract(
  { identity, version, installed }: Adoption,
  sources: ContractSources,
  signal: AbortSignal,
): Promise<string | undefined> {
  const released = await releasedContract(identity, { version, ...sources }, signal);
  if (released !== undefined) return released;
  if (identity.kind === "CoreProvider") return contractOfCore(sources.client, signal);
  return contractOfLabels(installed.crds.map(({ metadata }) => metadata));
}

async function releasedContract(
  provider: ProviderIdentity,
  {
    version,
    downloader,
    variables,
    providers,
  }: Omit<ContractSources, "client"> & { version: string },
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    await using open = new Downloader(downloader);
    const { fetchConfig } = configuredSource(provider, { providers, variables });
    const repository = openRepository({ provider, fetchConfig, variables, downloader: open });
    const metadata = await repository.file(version, "metadata.yaml", signal);
    return contractOf(parseMetadata(metadata), version);
  } catch (error) {
    if (error instanceof FetchError || error instanceof MetadataError) return undefined;
    throw error;
  }
}

async function contractOfCore(client: Client, signal: AbortSignal): Promise<string | undefined> {
  const crds = client.resource<KubeObject<{ versions: [] }>>(customResourceDefinitions);
  const name = "clusters.cluster.x-k8s.io";
  const definition = await getOptional(crds, { name }, { signal });
  return definition && contractOfClusters(definition);
}
