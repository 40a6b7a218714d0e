import type { Provider, ProviderManifest } from "@rookery/api";
import type { ClusterctlRecord } from "@rookery/cluster-api";
import {
  type ProviderIdentity,
  type ProviderKind,
  providerKindNames,
  tryParseVersion,
} from "@rookery/components";
import { formatObjectKey, objectKeyOf } from "@rookery/kube";
import { fieldManager } from "../components/component-client.ts";
export type LeaveReason =
  | "AlreadyDeclared"
  | "BeingDeleted"
  | "InvalidVersion"
  | "SeveralRecords"
  | "UnknownType"
  | "WrittenByOperator";

export type Migration =
  | {
      readonly action: "Adopt";
      readonly identity: ProviderIdentity;
      readonly version: string;
      readonly manifest: ProviderManifest;
    }
  | {
      readonly action: "Leave";
      readonly reason: LeaveReason;
      readonly message: string;
      readonly declaredBy?: Provider;
    };

interface MigrationInput {
  readonly record: ClusterctlRecord;
  readonly records: readonly ClusterctlRecord[];
  readonly providers: readonly Provider[];
}

export function planMigration({ record, records, providers }: MigrationInput): Migration {
  const identity = identityOf(record);
  const name = formatObjectKey(objectKeyOf(record));
  const { version = "", metadata } = record;
  if (!identity)
    return leave("UnknownType", `${name} is of type ${record.type}, which has no kind`);
  if (metadata.deletionTimestamp) return leave("BeingDeleted", `${name} is being deleted`);
  const declared = providers.find((one) => isSameProvider(identity, identityOfProvider(one)));
  if (declared) {
    const where = formatObjectKey(objectKeyOf(declared));
    const message = `${name} is declared by ${declared.kind} ${where}`;
    return { action: "Leave", reason: "AlreadyDeclared", message, declaredBy: declared };
  }
  if (isOwnRecord(record)) {
    return leave("WrittenByOperator", `${name} is the operator's own record`);
  }
  const same = records.filter((one) => isSameProvider(identity, identityOf(one)));
  if (same.length > 1) {
    const names = same.map((one) => formatObjectKey(objectKeyOf(one))).join(", ");
    return leave("SeveralRecords", `${names} are of one provider; delete those that are not used`);
  }
  if (!version.startsWith("v") || !tryParseVersion(version)) {
    return leave("InvalidVersion", `${name} has the version "${version}", which is none`);
  }
  return { action: "Adopt", identity, version, manifest: manifestOf(identity, record) };
}

/** Whether the operator wrote a record; it is deleted a moment after the provider's object. */
export function isOwnRecord({ metadata }: ClusterctlRecord): boolean {
  return metadata.managedFields?.some(({ manager }) => manager === fieldManager) ?? false;
}

function leave(reason: LeaveReason, message: string): Migration {
  return { action: "Leave", reason, message };
}

function identityOfProvider({ kind, metadata }: Provider): ProviderIdentity {
  return { kind, name: metadata.name ?? "" };
}

function manifestOf(identity: ProviderIdentity, record: ClusterctlRecord): ProviderManifest {
  const { version = "", watchedNamespace } = record;
  const { namespace = "" } = record.metadata;
  return {
    apiVersion: "management.cluster.x-k8s.io/v1alpha1",
    kind: identity.kind,
    metadata: { name: identity.name, namespace },
    spec: {
      version,
      ...(watchedNamespace && { watch: { namespaces: [watchedNamespace] } }),
    },
  };
}

/** On a record that is not migrated: the reason, with the way out. */
export const migrationAnnotation = "management.cluster.x-k8s.io/migration";

/** Undefined for an unknown type. */
function identityOf({ type, providerName }: ClusterctlRecord): ProviderIdentity | undefined {
  const kind = providerKindNames.find((name): name is ProviderKind => name === type);
  return kind && providerName ? { kind, name: providerName } : undefined;
}

export function isSameProvider(a: ProviderIdentity, b: ProviderIdentity | undefined): boolean {
  return a.kind === b?.kind && a.name === b.name;
}
