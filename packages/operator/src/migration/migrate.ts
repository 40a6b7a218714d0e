import type { Provider, ProviderManifest } from "@rookery/api";
import type { ProviderIdentity } from "@rookery/components";
import type { RoleOwner } from "../permissions/own-kinds-role.ts";
import { watchHash } from "../provider/policies.ts";
import type { InstallState } from "../state/install-state.ts";
import type { ClusterctlRecord } from "./clusterctl-record.ts";
import type { InstalledComponents } from "./installed-components.ts";
import { isOwnRecord, type LeaveReason, type Migration, planMigration } from "./plan.ts";
import type { RecoveredSettings } from "./recover-settings.ts";

/** What the migration of one record asks and does. */
export interface MigrationDependencies {
  listRecords(signal: AbortSignal): Promise<readonly ClusterctlRecord[]>;
  listProviders(signal: AbortSignal): Promise<readonly Provider[]>;
  findInstalled(owner: RoleOwner, signal: AbortSignal): Promise<InstalledComponents>;
  /** Undefined where neither the provider's metadata nor its CRDs say it. */
  contractOf(adoption: Adoption, signal: AbortSignal): Promise<string | undefined>;
  /** What it was installed with, and the operator would not know. */
  recoverSettings(
    adoption: Adoption & { readonly namespace: string },
    signal: AbortSignal,
  ): Promise<RecoveredSettings>;
  /** Keeps the state for an object that is not there yet. */
  prepareState(manifest: ProviderManifest, state: InstallState): Promise<void>;
  createProvider(manifest: ProviderManifest, signal: AbortSignal): Promise<Provider>;
  /** Gives a state that was kept its owner, where it has none. */
  claimState(provider: Provider): Promise<void>;
  intentOf(manifest: ProviderManifest): string;
}

/** A provider that is to be taken over, with what was found of it. */
export interface Adoption {
  readonly identity: ProviderIdentity;
  readonly version: string;
  readonly installed: InstalledComponents;
}

/** What was done about a record. */
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
 * Declares what clusterctl has installed, without touching it: first the state is kept, then the object
 * made, so that whoever reconciles the object knows that nothing is to be installed. Can be repeated.
 */
export async function migrate(
  record: ClusterctlRecord,
  dependencies: MigrationDependencies,
  signal: AbortSignal,
): Promise<MigrationOutcome> {
  // The operator writes many: to list all providers for each keeps an API server from its work.
  const [records, providers] = isOwnRecord(record)
    ? [[record], []]
    : [await dependencies.listRecords(signal), await dependencies.listProviders(signal)];
  const migration = planMigration({ record, records, providers });
  if (migration.action === "Leave") {
    if (migration.declaredBy) await dependencies.claimState(migration.declaredBy);
    const { reason, message } = migration;
    return { action: "Left", reason, message };
  }
  return adopt(migration, dependencies, signal);
}

async function adopt(
  { identity, version, manifest: planned }: Extract<Migration, { action: "Adopt" }>,
  dependencies: MigrationDependencies,
  signal: AbortSignal,
): Promise<MigrationOutcome> {
  const name = `${identity.kind} ${identity.name}`;
  const { namespace = "" } = planned.metadata;
  const installed = await dependencies.findInstalled({ namespace, identity }, signal);
  if (installed.owned.length === 0) {
    const message = `nothing in the cluster has the labels of ${name}; delete the record, or run clusterctl init again`;
    return { action: "Left", reason: "NothingInstalled", message };
  }
  const contract = await dependencies.contractOf({ identity, version, installed }, signal);
  if (contract === undefined) {
    const message = `neither the metadata of ${name} ${version} nor its CRDs tell its contract; declare it by hand`;
    return { action: "Left", reason: "ContractUnknown", message };
  }
  const recovered = await dependencies.recoverSettings(
    { identity, version, installed, namespace },
    signal,
  );
  const manifest = { ...planned, spec: { ...planned.spec, ...recovered.spec } };
  const intent = dependencies.intentOf(manifest);
  const watch = watchHash(manifest);
  const release = {
    id: `adopted-${version}`,
    version,
    contract,
    intent,
    adopted: true,
    ...(watch && { watch }),
    ...(recovered.problems.length > 0 && { warnings: recovered.problems }),
  } as const;
  const state: InstallState = { owned: installed.owned, release, phase: "Stable" };
  await dependencies.prepareState(manifest, state);
  const provider = await dependencies.createProvider(manifest, signal);
  await dependencies.claimState(provider);
  return { action: "Adopted", provider, contract, recovered };
}
