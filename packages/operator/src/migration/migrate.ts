import type { Provider, ProviderManifest } from "@rookery/api";
import type { ProviderIdentity } from "@rookery/components";
import type { RoleOwner } from "../permissions/own-kinds-role.ts";
import { watchHash } from "../provider/policies.ts";
import type { InstallState } from "../state/install-state.ts";
import type { InstalledComponents } from "./installed-components.ts";
import type { ClusterctlRecord } from "./plan.ts";
import { isOwnRecord, type LeaveReason, type Migration, planMigration } from "./plan.ts";
import type { RecoveredSettings } from "./recover-settings.ts";

/** The requests of a migration. */
export interface MigrationDependencies {
  listRecords(signal: AbortSignal): Promise<readonly ClusterctlRecord[]>;
  listProviders(signal: AbortSignal): Promise<readonly Provider[]>;
  findInstalled(owner: RoleOwner, signal: AbortSignal): Promise<InstalledComponents>;
  /** Undefined if neither the metadata of the release nor the CRDs have it. */
  contractOf(adoption: Adoption, signal: AbortSignal): Promise<string | undefined>;
  recoverSettings(
    adoption: Adoption & { readonly namespace: string },
    signal: AbortSignal,
  ): Promise<RecoveredSettings>;
  /** Records the state for an object that does not exist yet. */
  prepareState(manifest: ProviderManifest, state: InstallState): Promise<void>;
  createProvider(manifest: ProviderManifest, signal: AbortSignal): Promise<Provider>;
  /** Sets the owner of a prepared state. */
  claimState(provider: Provider): Promise<void>;
  intentOf(manifest: ProviderManifest): string;
}

export interface Adoption {
  readonly identity: ProviderIdentity;
  readonly version: string;
  readonly installed: InstalledComponents;
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
 * first, so that the reconcile of the object installs nothing. Can be repeated.
 */
export async function migrate(
  record: ClusterctlRecord,
  dependencies: MigrationDependencies,
  signal: AbortSignal,
): Promise<MigrationOutcome> {
  // No lists for the records of the operator itself, which are many.
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
