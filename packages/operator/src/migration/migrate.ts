import type { Provider, ProviderManifest } from "@rookery/api";
import type { Client } from "@rookery/client";
import type { ClusterctlRecord } from "@rookery/cluster-api";
import type { KubeObject } from "@rookery/kube";
import { watchHash } from "../provider/policies.ts";
import { clusterctlProviders, providerResource, providerResources } from "../resources.ts";
import type { InstallState } from "../state/install-state.ts";
import { intentOf } from "../state/release-id.ts";
import type { StateSeal } from "../state/state-seal.ts";
import { findContract } from "./find-contract.ts";
import { findInstalled } from "./installed-components.ts";
import { isOwnRecord, type LeaveReason, type Migration, planMigration } from "./plan.ts";
import { claimState, prepareState } from "./prepared-state.ts";
import {
  type RecoveredSettings,
  recoverSettings,
  type SettingsSources,
} from "./recover-settings.ts";

export interface MigrationSources extends SettingsSources {
  readonly seal: StateSeal;
}

export type MigrationOutcome =
  | {
      readonly action: "Adopted";
      readonly provider: Provider;
      readonly contract: string;
      readonly recovered: RecoveredSettings;
    }
  | {
      readonly action: "Left";
      readonly reason: LeaveReason | "ContractUnknown" | "NothingInstalled";
      readonly message: string;
    };

/**
 * Creates an object for a provider of clusterctl, without changing the provider: the state is recorded
 * first, so that the reconcile of the object installs nothing. Reads from the server. Can be repeated.
 */
export async function migrate(
  record: ClusterctlRecord,
  sources: MigrationSources,
  signal: AbortSignal,
): Promise<MigrationOutcome> {
  // No lists for the records of the operator itself, which are many.
  const [records, providers] = isOwnRecord(record)
    ? [[record], []]
    : [await listRecords(sources.client), await listProviders(sources.client)];
  const migration = planMigration({ record, records, providers });
  if (migration.action === "Leave") {
    if (migration.declaredBy) await claimState(sources, migration.declaredBy);
    const { reason, message } = migration;
    return { action: "Left", reason, message };
  }
  return adopt(migration, sources, signal);
}

async function listRecords(client: Client): Promise<readonly ClusterctlRecord[]> {
  return (await client.resource<ClusterctlRecord>(clusterctlProviders).listAll()).items;
}

async function listProviders(client: Client): Promise<readonly Provider[]> {
  const lists = providerResources.map((one) => client.resource<KubeObject>(one).listAll());
  return (await Promise.all(lists)).flatMap(({ items }) => items as Provider[]);
}

async function adopt(
  { identity, version, manifest: planned }: Extract<Migration, { action: "Adopt" }>,
  sources: MigrationSources,
  signal: AbortSignal,
): Promise<MigrationOutcome> {
  const { client } = sources;
  const name = `${identity.kind} ${identity.name}`;
  const { namespace = "" } = planned.metadata;
  const installed = await findInstalled({ namespace, identity }, { client, signal });
  if (installed.owned.length === 0) {
    const message = `nothing in the cluster has the labels of ${name}; delete the record, or run clusterctl init again`;
    return { action: "Left", reason: "NothingInstalled", message };
  }
  const adoption = { identity, version, namespace, installed };
  const contract = await findContract(adoption, sources, signal);
  if (contract === undefined) {
    const message = `neither the metadata of ${name} ${version} nor its CRDs tell its contract; declare it by hand`;
    return { action: "Left", reason: "ContractUnknown", message };
  }
  const recovered = await recoverSettings(adoption, sources, signal);
  const manifest: ProviderManifest = { ...planned, spec: { ...planned.spec, ...recovered.spec } };
  const watch = watchHash(manifest);
  const release = {
    id: `adopted-${version}`,
    version,
    contract,
    intent: intentOf(manifest as Provider),
    adopted: true,
    ...(watch && { watch }),
    ...(recovered.problems.length > 0 && { warnings: recovered.problems }),
  } as const;
  const state: InstallState = { owned: installed.owned, release, phase: "Stable" };
  await prepareState(sources, manifest, state);
  const objects = client.resource<KubeObject>(providerResource(manifest.kind));
  const provider = (await objects.create(manifest)) as Provider;
  await claimState(sources, provider);
  return { action: "Adopted", provider, contract, recovered };
}
