import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  mutatingWebhookConfigurationKind,
  validatingWebhookConfigurationKind,
} from "./admissionregistration/webhook-configurations.ts";
import { customResourceDefinitionKind } from "./apiextensions/custom-resource-definition.ts";
import { apiServiceKind } from "./apiregistration/api-service.ts";
import { controllerRevisionKind } from "./apps/controller-revision.ts";
import { daemonSetKind } from "./apps/daemon-set.ts";
import { deploymentKind } from "./apps/deployment.ts";
import { replicaSetKind } from "./apps/replica-set.ts";
import { statefulSetKind } from "./apps/stateful-set.ts";
import { cronJobKind } from "./batch/cron-job.ts";
import { jobKind } from "./batch/job.ts";
import { certificateSigningRequestKind } from "./certificates/certificate-signing-request.ts";
import { leaseKind } from "./coordination/lease.ts";
import { configMapKind } from "./core/config-map.ts";
import { endpointsKind } from "./core/endpoints.ts";
import { eventKind as coreEventKind } from "./core/event.ts";
import { namespaceKind } from "./core/namespace.ts";
import { nodeKind } from "./core/node.ts";
import { persistentVolumeKind } from "./core/persistent-volume.ts";
import { persistentVolumeClaimKind } from "./core/persistent-volume-claim.ts";
import { podKind } from "./core/pod.ts";
import { secretKind } from "./core/secret.ts";
import { serviceKind } from "./core/service.ts";
import { serviceAccountKind } from "./core/service-account.ts";
import type { BuiltInKind, KindContext } from "./declaration/kind.ts";
import { endpointSliceKind } from "./discovery/endpoint-slice.ts";
import { eventKind } from "./events/event.ts";
import { networkPolicyKind } from "./networking/network-policy.ts";
import { podDisruptionBudgetKind } from "./policy/pod-disruption-budget.ts";
import { clusterRoleBindingKind, roleBindingKind } from "./rbac/bindings.ts";
import { clusterRoleKind, roleKind } from "./rbac/roles.ts";
import { priorityClassKind } from "./scheduling/priority-class.ts";
import { storageClassKind } from "./storage/storage-class.ts";
import { volumeAttachmentKind } from "./storage/volume-attachment.ts";

/** The kinds of the core group. */
export function coreKinds(context: KindContext): readonly BuiltInKind[] {
  return [
    configMapKind,
    endpointsKind(context),
    coreEventKind,
    namespaceKind,
    nodeKind,
    persistentVolumeKind(context),
    persistentVolumeClaimKind,
    podKind(context),
    secretKind,
    serviceKind(context),
    serviceAccountKind,
  ] as unknown as readonly BuiltInKind[];
}

/** Every stored kind that is compiled into Kubernetes, in the order of discovery. */
export function builtInKinds(context: KindContext): readonly BuiltInKind[] {
  const kinds: readonly unknown[] = [
    ...coreKinds(context),
    apiServiceKind(context),
    customResourceDefinitionKind,
    deploymentKind,
    replicaSetKind,
    statefulSetKind,
    daemonSetKind,
    controllerRevisionKind,
    eventKind,
    jobKind,
    cronJobKind,
    certificateSigningRequestKind(context),
    networkPolicyKind,
    podDisruptionBudgetKind,
    roleKind,
    roleBindingKind,
    clusterRoleKind,
    clusterRoleBindingKind,
    storageClassKind,
    volumeAttachmentKind,
    mutatingWebhookConfigurationKind,
    validatingWebhookConfigurationKind,
    priorityClassKind,
    leaseKind,
    endpointSliceKind(context),
  ];
  // The functions of a kind only receive objects of that kind.
  return (kinds as readonly BuiltInKind[]).map(withColumnDescriptions);
}

/** Distinct texts, and for each kind the indexes of the texts of its columns. */
interface Descriptions {
  readonly texts: readonly string[];
  readonly columns: Readonly<Record<string, readonly number[]>>;
}

let loaded: Descriptions | undefined;

/** The file is read when the first Table is requested. */
function descriptions(): Descriptions {
  const file = join(import.meta.dirname, "../generated/column-descriptions.json");
  loaded ??= JSON.parse(readFileSync(file, "utf8")) as Descriptions;
  return loaded;
}

/** The kind with Kubernetes' descriptions of its columns. */
function withColumnDescriptions(kind: BuiltInKind): BuiltInKind {
  const columns = kind.columns.map((column, i) => ({
    ...column,
    get description() {
      return columnDescription(kind, i) ?? "";
    },
  }));
  return { ...kind, columns };
}

function columnDescription({ group, kind }: BuiltInKind, column: number): string | undefined {
  const { texts, columns } = descriptions();
  const index = columns[`${group}/${kind}`]?.[column];
  return index === undefined ? undefined : texts[index];
}
