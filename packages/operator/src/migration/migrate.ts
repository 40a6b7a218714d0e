import type { Provider, ProviderManifest } from "@rookery/api";
import { type Client, getOptional } from "@rookery/client";
import type { ClusterctlRecord } from "@rookery/cluster-api";
import type { KubeObject } from "@rookery/kube";
import { watchHash } from "../provider/policies.ts";
import { clusterctlProviders, providerResource, providerResources, secrets } from "../resources.ts";
import type { InstallState } from "../state/install-state.ts";
import { intentOf } from "../state/release.ts";
import type { StateSeal } from "../state/state-seal.ts";
import {
  type SecretObject,
  stateKey,
  stateMetadata,
  stateOf,
  stateSecret,
} from "../state/state-secrets.ts";
import { findContract } from "./find-contract.ts";
import { findInstalled } from "./installed-components.ts";
import { isOwnRecord, type LeaveReason, type Migration, planMigration } from "./plan.ts";
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

/** Creates an object for a provider, but its state first, so that nothing is installed. */
export async function migrate(
  record: ClusterctlRecord,
  sources: MigrationSources,
  signal: AbortSignal,
): Promise<MigrationOutcome> {
  // No lists for the records of the operator itself, which are many.
  const [records, providers] = isOwnRecord(record) ? [[record], []] : await listAll(sources.client);
  const migration = planMigration({ record, records, providers });
  if (migration.action === "Leave") {
    if (migration.declaredBy) await claimState(sources, migration.declaredBy);
    const { reason, message } = migration;
    return { action: "Left", reason, message };
  }
  return adopt(migration, sources, signal);
}

async function listAll(client: Client): Promise<[ClusterctlRecord[], Provider[]]> {
  const records = await client.resource<ClusterctlRecord>(clusterctlProviders).listAll();
  const lists = providerResources.map((one) => client.resource<Provider>(one).listAll());
  return [[...records.items], (await Promise.all(lists)).flatMap(({ items }) => items)];
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

/** Records a state for an object that does not exist yet, without owner and finalizer; can be repeated. */
async function prepareState(
  { client, seal }: MigrationSources,
  manifest: ProviderManifest,
  state: InstallState,
): Promise<void> {
  const resource = client.resource<SecretObject>(secrets);
  const future = manifest as Provider;
  const { ownerReferences: _, finalizers: __, ...metadata } = stateMetadata(future, state);
  const secret = await seal.sealed(stateSecret(metadata, state));
  const before = await find(client, future);
  if (before && !isPrepared(before)) {
    const { namespace, name } = stateKey(future);
    throw new Error(
      `could not keep the state of ${manifest.kind} ${namespace}/${manifest.metadata.name}: Secret ${name} ` +
        "belongs to an object that is going; it is tried again",
    );
  }
  if (before === undefined) await resource.create(secret);
  else await resource.update({ ...secret, metadata: { ...secret.metadata, ...versionOf(before) } });
}

/** Sets the owner and the finalizer of a prepared state, if it has none and the seal is valid. */
async function claimState({ client, seal }: MigrationSources, provider: Provider): Promise<void> {
  const secret = await find(client, provider);
  const state = secret && stateOf(secret);
  if (!secret || state === undefined || !isPrepared(secret)) return;
  if (!(await seal.isGenuine(secret))) return;
  const metadata = { ...stateMetadata(provider, state), ...versionOf(secret) };
  await client.resource<SecretObject>(secrets).update(await seal.sealed({ ...secret, metadata }));
}

function isPrepared({ metadata }: SecretObject): boolean {
  return (metadata.ownerReferences ?? []).length === 0;
}

function find(client: Client, provider: Provider): Promise<SecretObject | undefined> {
  return getOptional(client.resource<SecretObject>(secrets), stateKey(provider));
}

function versionOf({ metadata }: SecretObject): { readonly resourceVersion?: string } {
  const { resourceVersion } = metadata;
  return resourceVersion === undefined ? {} : { resourceVersion };
}
