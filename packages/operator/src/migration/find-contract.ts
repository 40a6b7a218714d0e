import type { Client } from "@rookery/client";
import {
  contractOf,
  FetchError,
  MetadataError,
  metadataFile,
  parseMetadata,
} from "@rookery/components";
import type { ObjectMeta } from "@rookery/kube";
import { findDefinition, storageVersionOf } from "../storage-versions/definition.ts";
import type { Adoption } from "./installed-components.ts";
import { type SettingsSources, withRepository } from "./recover-settings.ts";

type ContractSources = Omit<SettingsSources, "imageOverrides">;

/** From the release; else the storage version of Clusters for a core, or the labels of CRDs. */
export async function findContract(
  adoption: Adoption,
  sources: ContractSources,
  signal: AbortSignal,
): Promise<string | undefined> {
  const released = await releasedContract(adoption, sources, signal);
  if (released !== undefined) return released;
  if (adoption.identity.kind === "CoreProvider") return contractOfCore(sources.client);
  return contractOfLabels(adoption.installed.crds.map(({ metadata }) => metadata));
}

async function releasedContract(
  { identity, version }: Adoption,
  sources: ContractSources,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const metadata = await withRepository(identity, sources, (repository) =>
      repository.file(version, metadataFile, signal),
    );
    return contractOf(parseMetadata(metadata), version);
  } catch (error) {
    if (error instanceof FetchError || error instanceof MetadataError) return undefined;
    throw error;
  }
}

async function contractOfCore(client: Client): Promise<string | undefined> {
  const definition = await findDefinition(client, "clusters.cluster.x-k8s.io");
  return definition && storageVersionOf(definition);
}

const contractLabel = /^cluster\.x-k8s\.io\/(v\d+(?:(?:alpha|beta)\d+)?)$/;

/** The newest contract in the labels `cluster.x-k8s.io/<contract>` of CRDs, which Cluster API uses. */
export function contractOfLabels(crds: readonly ObjectMeta[]): string | undefined {
  const contracts = crds.flatMap(({ labels = {} }) =>
    Object.keys(labels).flatMap((key) => contractLabel.exec(key)?.[1] ?? []),
  );
  return contracts.toSorted((a, b) => rank(b) - rank(a))[0];
}

/** As Kubernetes orders versions: v2 after v1 after v1beta2 after v1alpha4. */
function rank(contract: string): number {
  const [, major = "0", stage, minor = "0"] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(contract) ?? [];
  const maturity = stage === undefined ? 2 : stage === "beta" ? 1 : 0;
  return maturity * 1e9 + Number(major) * 1e4 + Number(minor);
}
