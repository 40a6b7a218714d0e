import { builtInKinds } from "../../src/kinds/built-in-kinds.ts";
import { builtInGoType } from "../../src/types/go-types.ts";
import { subjects as conformanceSubjects } from "../conformance/subjects.ts";
import { goodCrd } from "../crd-rows.ts";
import { emptyStore } from "../kinds/core/core-kind.ts";
import { RandomObjects } from "../kinds/core/random-object.ts";
import {
  configMapRows,
  namespaceRows,
  secretRows,
  serviceAccountRows,
} from "../kinds/core/rows/data-rows.ts";
import { endpointsRows } from "../kinds/core/rows/endpoint-rows.ts";
import { nodeRows } from "../kinds/core/rows/node-rows.ts";
import { podRows } from "../kinds/core/rows/pod-rows.ts";
import { serviceRows } from "../kinds/core/rows/service-rows.ts";
import { claimRows, volumeRows } from "../kinds/core/rows/storage-rows.ts";
import type { Row } from "../kinds/kind-differential.ts";
import { cronJobRows } from "../kinds/rows/cron-job-rows.ts";
import { jobRows } from "../kinds/rows/job-kinds-rows.ts";
import {
  endpointSliceRows,
  eventRows,
  networkPolicyRows,
} from "../kinds/rows/network-kinds-rows.ts";
import {
  controllerRevisionRows,
  leaseRows,
  podDisruptionBudgetRows,
  priorityClassRows,
  storageClassRows,
} from "../kinds/rows/small-kinds-rows.ts";
import {
  daemonSetRows,
  deploymentRows,
  replicaSetRows,
  statefulSetRows,
} from "../kinds/rows/workload-kinds-rows.ts";
import { goodWebhook } from "../webhook-rows.ts";

/** A kind of which good and nearly good objects are known. */
export interface Subject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Of a kind that is compiled in. */
  readonly goType: string | undefined;
  /** Whether a stored one would change how the server itself works for all others. */
  readonly dryRunOnly: boolean;
  readonly objects: readonly object[];
}

type Rows = Readonly<Record<string, Row>>;

const rowsOf: Readonly<Record<string, Rows>> = {
  ConfigMap: configMapRows,
  ControllerRevision: controllerRevisionRows,
  CronJob: cronJobRows,
  DaemonSet: daemonSetRows,
  Deployment: deploymentRows,
  Endpoints: endpointsRows,
  EndpointSlice: endpointSliceRows,
  Event: eventRows,
  Job: jobRows,
  Lease: leaseRows,
  Namespace: namespaceRows,
  NetworkPolicy: networkPolicyRows,
  Node: nodeRows,
  PersistentVolume: volumeRows,
  PersistentVolumeClaim: claimRows,
  Pod: podRows,
  PodDisruptionBudget: podDisruptionBudgetRows,
  PriorityClass: priorityClassRows,
  ReplicaSet: replicaSetRows,
  Secret: secretRows,
  Service: serviceRows,
  ServiceAccount: serviceAccountRows,
  StatefulSet: statefulSetRows,
  StorageClass: storageClassRows,
};

const rule = { apiGroups: [""], resources: ["pods"], verbs: ["get"] };
const binding = {
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
  subjects: [{ kind: "ServiceAccount", name: "a", namespace: "default" }],
};

const objectsOf: Readonly<Record<string, readonly object[]>> = {
  Role: [{ rules: [rule] }],
  ClusterRole: [
    { rules: [rule, { nonResourceURLs: ["/x"], verbs: ["get"] }] },
    { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] } },
  ],
  RoleBinding: [binding],
  ClusterRoleBinding: [binding],
  CustomResourceDefinition: [goodCrd()],
  MutatingWebhookConfiguration: [{ webhooks: [goodWebhook()] }],
  ValidatingWebhookConfiguration: [{ webhooks: [goodWebhook()] }],
};

const dryRunOnly = [
  ...["CustomResourceDefinition", "APIService"],
  ...["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"],
];

const randomObjects = new RandomObjects(10);

function randomOf(goType: string): object[] {
  return Array.from({ length: 20 }, () => ({ ...randomObjects.objectOf(goType), metadata: {} }));
}

const builtIn = builtInKinds({
  store: emptyStore,
  now: () => new Date(),
  serviceCidr: "10.0.0.0/24",
}).map(({ group, version, kind, plural, namespaced, goType }): Subject => {
  const rows = Object.values(rowsOf[kind] ?? {}).flatMap(({ object, old }) => [
    ...(typeof object === "function" ? [] : [object]),
    ...(old ? [old] : []),
  ]);
  return {
    apiVersion: group === "" ? version : `${group}/${version}`,
    kind,
    plural,
    namespaced,
    goType,
    dryRunOnly: dryRunOnly.includes(kind),
    objects: [...rows, ...(objectsOf[kind] ?? []), ...randomOf(goType)],
  };
});

/** Kinds that are only asked, never stored. */
const reviews = [
  ["authentication.k8s.io/v1", "TokenReview", "tokenreviews"],
  ["authentication.k8s.io/v1", "SelfSubjectReview", "selfsubjectreviews"],
  ["authorization.k8s.io/v1", "SubjectAccessReview", "subjectaccessreviews"],
  ["authorization.k8s.io/v1", "SelfSubjectAccessReview", "selfsubjectaccessreviews"],
  ["authorization.k8s.io/v1", "SelfSubjectRulesReview", "selfsubjectrulesreviews"],
].map(([apiVersion = "", kind = "", plural = ""]): Subject => {
  const goType = builtInGoType({ apiVersion, kind });
  const objects = goType ? randomOf(goType) : [];
  return { apiVersion, kind, plural, goType, objects, namespaced: false, dryRunOnly: false };
});

const custom = conformanceSubjects
  .filter((subject) => subject.custom)
  .map(({ apiVersion, kind, plural, namespaced, content }): Subject => {
    const objects = [content, { ...content, status: { phase: "x", replicas: 1 } }];
    return {
      apiVersion,
      kind,
      plural,
      namespaced,
      objects,
      goType: undefined,
      dryRunOnly: false,
    };
  });

export const subjects: readonly Subject[] = [...builtIn, ...reviews, ...custom];
