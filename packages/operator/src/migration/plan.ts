import type { Provider, ProviderManifest } from "@rookery/api";
import { type ProviderIdentity, tryParseVersion } from "@rookery/components";
import { formatObjectKey, objectKeyOf } from "@rookery/kube";
import { type ClusterctlRecord, identityOf, isSameProvider } from "./clusterctl-record.ts";

/** The name under which the operator writes objects. */
const fieldManager = "rookery-operator";

/** Why one of clusterctl's records is left as it is. */
export type LeaveReason =
  | "AlreadyDeclared"
  | "BeingDeleted"
  | "InvalidVersion"
  | "SeveralRecords"
  | "UnknownType"
  | "WrittenByOperator";

/** What becomes of one of clusterctl's records. */
export type Migration =
  | {
      readonly action: "Adopt";
      readonly identity: ProviderIdentity;
      readonly version: string;
      /** The object that declares what is installed. */
      readonly manifest: ProviderManifest;
    }
  | {
      readonly action: "Leave";
      readonly reason: LeaveReason;
      readonly message: string;
      /** The object that declares the provider already. */
      readonly declaredBy?: Provider;
    };

export interface MigrationInput {
  readonly record: ClusterctlRecord;
  /** All of clusterctl's records. */
  readonly records: readonly ClusterctlRecord[];
  /** All providers that are declared. */
  readonly providers: readonly Provider[];
}

/** Decides what becomes of a record; nothing is asked and nothing is changed. */
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

/** The operator keeps a record of what it has installed: when its object goes, it goes a moment later. */
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
