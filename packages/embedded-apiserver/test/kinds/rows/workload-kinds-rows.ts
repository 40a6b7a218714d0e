import type { Row } from "../kind-differential.ts";

type Rows = Readonly<Record<string, Row>>;

const labels = { app: "a" };
const container = { name: "c", image: "example.com/c:1" };

/** A template of pods with one container. */
export const template = (spec: object = {}, metadata: object = { labels }) => ({
  metadata,
  spec: { containers: [container], ...spec },
});

const valid = { selector: { matchLabels: labels }, template: template() };
const made = (spec: object): Row => ({ object: { spec: { ...valid, ...spec } } });
const changed = (spec: object, old: object = {}): Row => ({
  ...made(spec),
  old: { spec: { ...valid, ...old } },
});
const written = (status: object, oldStatus?: object): Row => ({
  object: { spec: valid, status },
  old: { spec: valid },
  ...(oldStatus && { oldStatus }),
  status: true,
});

/** Rules of a selector, a template and numbers, which most workloads share. */
const shared: Rows = {
  "a small one": made({}),
  "no spec": { object: {} },
  "no selector": made({ selector: undefined }),
  "an empty selector": made({ selector: {} }),
  "an expression": made({
    selector: { matchExpressions: [{ key: "app", operator: "In", values: ["b", "a"] }] },
  }),
  "a selector of other pods": made({ selector: { matchLabels: { app: "b" } } }),
  "a selector with a bad value": made({ selector: { matchLabels: { app: "not good" } } }),
  "a selector with an unknown operator": made({
    selector: { matchExpressions: [{ key: "app", operator: "Of" }] },
  }),
  "a template without labels": made({ template: template({}, {}) }),
  "a template without containers": made({ template: template({ containers: [] }) }),
  "a template with a bad container": made({
    template: template({ containers: [{ name: "A_b", image: "" }] }),
  }),
  "a template with bad labels": made({
    template: template({}, { labels: { app: "a", "not good": "x y" } }),
  }),
  "a template with bad annotations": made({
    template: template({}, { labels, annotations: { "not good": "x" } }),
  }),
  "pods that do not start again": made({ template: template({ restartPolicy: "Never" }) }),
  "pods with an unknown policy": made({ template: template({ restartPolicy: "Often" }) }),
  "pods with a deadline": made({ template: template({ activeDeadlineSeconds: 5 }) }),
  "an image with a long name": made({
    template: template({ containers: [{ name: "c", image: "x".repeat(248) }] }),
  }),
  "an image with a name as long as may be": made({
    template: template({ containers: [{ name: "c", image: "x".repeat(247) }] }),
  }),
  "two containers": made({
    template: template({ containers: [container, { name: "d", image: "d" }] }),
  }),
  "negative seconds": made({ minReadySeconds: -1 }),
  "a name that is none of hosts": {
    object: { spec: valid, metadata: { name: "with.dots" } },
  },
  "labels and annotations": {
    object: { spec: valid, metadata: { labels: { x: "y" }, annotations: { x: "y" } } },
  },
  "an old label of nodes": made({
    template: template({ nodeSelector: { "beta.kubernetes.io/os": "linux" } }),
  }),
  "a status of its own": { object: { spec: valid, status: { observedGeneration: 2 } } },
  "a changed template": changed({ template: template({ hostNetwork: true }) }),
  "a changed selector": changed({
    selector: { matchLabels: { app: "a", x: "y" } },
    template: template({}, { labels: { app: "a", x: "y" } }),
  }),
  "nothing changed": changed({}),
  "changed annotations": {
    object: { spec: valid, metadata: { annotations: { x: "y" } } },
    old: { spec: valid },
  },
  "changed labels": {
    object: { spec: valid, metadata: { labels: { x: "y" } } },
    old: { spec: valid },
  },
  "a change for the worse": changed({ minReadySeconds: -1 }),
  "labels changed with the status": {
    object: { spec: valid, metadata: { labels: { x: "y" }, annotations: { x: "y" } } },
    old: { spec: valid },
    status: true,
  },
};

const replicated: Rows = {
  "some replicas": made({ replicas: 3 }),
  "no replicas": made({ replicas: 0 }),
  "negative replicas": made({ replicas: -1 }),
  "changed replicas": changed({ replicas: 3 }),
  "a written status": written({ replicas: 2, readyReplicas: 1, availableReplicas: 1 }),
  "negative numbers": written({ replicas: -1, readyReplicas: -1, availableReplicas: -1 }),
  "more ready than there are": written({ replicas: 1, readyReplicas: 2, availableReplicas: 3 }),
  "more available than ready": written({ replicas: 3, readyReplicas: 1, availableReplicas: 2 }),
  "a negative generation": written({ observedGeneration: -1 }),
};

export const deploymentRows: Rows = {
  ...shared,
  ...replicated,
  "another strategy": made({ strategy: { type: "Recreate" } }),
  "a strategy with what is another's": made({ strategy: { type: "Recreate", rollingUpdate: {} } }),
  "an unknown strategy": made({ strategy: { type: "Sudden", rollingUpdate: { maxSurge: 1 } } }),
  "a rolling update": made({ strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } }),
  percentages: made({ strategy: { rollingUpdate: { maxSurge: "0%", maxUnavailable: "1%" } } }),
  "an update that never goes on": made({
    strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: "0%" } },
  }),
  "texts and negative numbers": made({
    strategy: { rollingUpdate: { maxSurge: "many", maxUnavailable: -1 } },
  }),
  "more than all": made({
    strategy: { rollingUpdate: { maxSurge: "101%", maxUnavailable: "101%" } },
  }),
  "a history and a deadline": made({ revisionHistoryLimit: 0, progressDeadlineSeconds: 1 }),
  "a negative history": made({ revisionHistoryLimit: -1 }),
  "a deadline before pods are ready": made({ minReadySeconds: 10, progressDeadlineSeconds: 10 }),
  "a negative deadline": made({ progressDeadlineSeconds: -1 }),
  "a paused one": made({ paused: true }),
  "conditions and collisions": written({
    collisionCount: 2,
    conditions: [{ type: "Available", status: "True" }],
  }),
  "fewer collisions": written({ collisionCount: 1 }, { collisionCount: 2 }),
  "collisions forgotten": written({}, { collisionCount: 2 }),
  "negative collisions": written({
    collisionCount: -1,
    updatedReplicas: 1,
    unavailableReplicas: -1,
  }),
  "replicas that end": written({ replicas: 1, terminatingReplicas: 1 }),
};

export const replicaSetRows: Rows = {
  ...shared,
  ...replicated,
  "more labeled than there are": written({ replicas: 1, fullyLabeledReplicas: 2 }),
  "replicas that end": written({ replicas: 1, terminatingReplicas: 1 }),
};

export const daemonSetRows: Rows = {
  ...shared,
  "another strategy": made({ updateStrategy: { type: "OnDelete" } }),
  "an unknown strategy": made({ updateStrategy: { type: "Sudden" } }),
  "a surge": made({ updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } }),
  "a surge and pods that are not there": made({
    updateStrategy: { rollingUpdate: { maxSurge: "10%", maxUnavailable: 1 } },
  }),
  "an update that never goes on": made({
    updateStrategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } },
  }),
  "texts and negative numbers": made({
    updateStrategy: { rollingUpdate: { maxSurge: "many", maxUnavailable: -1 } },
  }),
  "more than all": made({
    updateStrategy: { rollingUpdate: { maxSurge: "0%", maxUnavailable: "101%" } },
  }),
  "a negative history": made({ revisionHistoryLimit: -1 }),
  "nodes by labels": made({ template: template({ nodeSelector: { b: "c", a: "d" } }) }),
  "a generation of the template": {
    object: {
      spec: valid,
      metadata: { annotations: { "deprecated.daemonset.template.generation": "5" } },
    },
  },
  "a written status": written({
    currentNumberScheduled: 1,
    numberMisscheduled: 1,
    desiredNumberScheduled: 2,
    numberReady: 1,
    updatedNumberScheduled: 1,
    numberAvailable: 1,
  }),
  "negative numbers": written({
    currentNumberScheduled: -1,
    numberMisscheduled: -1,
    desiredNumberScheduled: -1,
    numberReady: -1,
    observedGeneration: -1,
    updatedNumberScheduled: -1,
    numberAvailable: -1,
    numberUnavailable: -1,
    collisionCount: -1,
  }),
  "fewer collisions": written({ collisionCount: 1 }, { collisionCount: 2 }),
};

const claim = (fields: object = {}) => ({
  metadata: { name: "data" },
  spec: {
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage: "1Gi" } },
    ...fields,
  },
});
const mounting = template({
  containers: [{ ...container, volumeMounts: [{ name: "data", mountPath: "/data" }] }],
});

export const statefulSetRows: Rows = {
  ...shared,
  ...replicated,
  "pods at once": made({ podManagementPolicy: "Parallel" }),
  "an unknown management": made({ podManagementPolicy: "Random" }),
  "updates by deletion": made({ updateStrategy: { type: "OnDelete" } }),
  "updates by deletion with what is another's": made({
    updateStrategy: { type: "OnDelete", rollingUpdate: { partition: 1 } },
  }),
  "an unknown strategy": made({ updateStrategy: { type: "Sudden" } }),
  "a strategy without details": made({ updateStrategy: { type: "RollingUpdate" } }),
  "a partition": made({ updateStrategy: { rollingUpdate: { partition: 2 } } }),
  "a negative partition": made({ updateStrategy: { rollingUpdate: { partition: -1 } } }),
  "pods that are not there": made({ updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } }),
  "claims that go": made({ persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete" } }),
  "claims that nobody knows what to do with": made({
    persistentVolumeClaimRetentionPolicy: { whenDeleted: "Keep", whenScaled: "Lose" },
  }),
  "an ordinal": made({ ordinals: { start: 5 } }),
  "a negative ordinal": made({ ordinals: { start: -1 } }),
  "a service": made({ serviceName: "s" }),
  "a service with a bad name": made({ serviceName: "A.b" }),
  claims: made({ volumeClaimTemplates: [claim()], template: mounting }),
  "a claim of nothing": made({ volumeClaimTemplates: [claim({ accessModes: [], resources: {} })] }),
  "a claim of half a byte": made({
    volumeClaimTemplates: [claim({ resources: { requests: { storage: "1500m" } } })],
  }),
  "a volume that is not there": made({ template: mounting }),
  "a hostname and a subdomain": made({ template: template({ hostname: "A_b", subdomain: "A_b" }) }),
  "a negative history": made({ revisionHistoryLimit: -1 }),
  "a changed service": changed({ serviceName: "t" }, { serviceName: "s" }),
  "a changed management": changed({ podManagementPolicy: "Parallel" }),
  "changed claims": changed(
    { volumeClaimTemplates: [claim({ resources: { requests: { storage: "2Gi" } } })] },
    { volumeClaimTemplates: [claim()] },
  ),
  "changed what may change": changed({
    replicas: 2,
    minReadySeconds: 1,
    ordinals: { start: 1 },
    revisionHistoryLimit: 1,
    updateStrategy: { type: "OnDelete" },
    persistentVolumeClaimRetentionPolicy: { whenScaled: "Delete" },
  }),
  "more current than there are": written({ replicas: 1, currentReplicas: 2, updatedReplicas: 2 }),
  "fewer collisions": written(
    { replicas: 0, collisionCount: 1 },
    { replicas: 0, collisionCount: 2 },
  ),
};
