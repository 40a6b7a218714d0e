import type { Row } from "../kind-differential.ts";
import { template } from "./workload-kinds-rows.ts";

type Rows = Readonly<Record<string, Row>>;

const pods = template({ restartPolicy: "Never" }, {});
const valid = { template: pods };
const made = (spec: object): Row => ({ object: { spec: { ...valid, ...spec } } });
const indexed = { completionMode: "Indexed", completions: 3, parallelism: 3 };
const perIndex = { ...indexed, backoffLimitPerIndex: 1 };
const failing = (...rules: object[]): Row => made({ podFailurePolicy: { rules } });
const succeeding = (...rules: object[]): Row => made({ ...indexed, successPolicy: { rules } });
const codes = (fields: object): Row =>
  failing({ action: "FailJob", onExitCodes: { operator: "In", values: [1], ...fields } });
const many = <T>(length: number, item: (i: number) => T) =>
  Array.from({ length }, (_, i) => item(i));

export const jobRows: Rows = {
  "a small one": made({}),
  "no spec": { object: {} },
  "labels of pods": made({
    template: template({ restartPolicy: "OnFailure" }, { labels: { a: "b" } }),
  }),
  "labels of pods that are its own too": {
    object: {
      spec: { template: template({ restartPolicy: "OnFailure" }, { labels: { a: "b" } }) },
      metadata: { labels: { a: "b" } },
    },
  },
  "pods that always start again": made({ template: template({ restartPolicy: "Always" }) }),
  "pods without a policy": made({ template: template() }),
  "pods with an unknown policy": made({ template: template({ restartPolicy: "Often" }) }),
  "pods without containers": made({
    template: template({ restartPolicy: "Never", containers: [] }),
  }),
  completions: made({ completions: 5 }),
  parallelism: made({ parallelism: 5 }),
  "none at a time": made({ parallelism: 0 }),
  "all numbers": made({
    completions: 5,
    parallelism: 2,
    activeDeadlineSeconds: 10,
    backoffLimit: 0,
    ttlSecondsAfterFinished: 0,
    suspend: true,
  }),
  "negative numbers": made({
    completions: -1,
    parallelism: -1,
    activeDeadlineSeconds: -1,
    backoffLimit: -1,
    ttlSecondsAfterFinished: -1,
    backoffLimitPerIndex: -1,
    maxFailedIndexes: -1,
  }),
  "an indexed one": made(indexed),
  "an indexed one without completions": made({ completionMode: "Indexed", parallelism: 1 }),
  "an unknown mode": made({ completionMode: "Odd" }),
  "limits of indexes without indexes": made({ backoffLimitPerIndex: 1, maxFailedIndexes: 1 }),
  "limits of indexes": made({ ...perIndex, maxFailedIndexes: 2 }),
  "failures without a limit of each": made({ ...indexed, maxFailedIndexes: 1 }),
  "more failures than completions": made({ ...perIndex, maxFailedIndexes: 4 }),
  "too many at a time": made({ ...indexed, completions: 5, parallelism: 100001 }),
  "very many completions": made({ ...perIndex, completions: 200000, parallelism: 20000 }),
  "very many failures": made({
    ...perIndex,
    completions: 200000,
    parallelism: 1,
    maxFailedIndexes: 150000,
  }),
  "very many completions without limits": made({
    ...indexed,
    completions: 200000,
    parallelism: 20000,
  }),
  "an indexed one with a long name": {
    object: { spec: { ...valid, ...indexed }, metadata: { name: "n".repeat(62) } },
  },
  "a name that is none of hosts": { object: { spec: valid, metadata: { name: "with.dots" } } },
  "managed by another": made({ managedBy: "example.com/controller" }),
  "managed by nobody": made({ managedBy: "" }),
  "managed by a name without a domain": made({ managedBy: "controller" }),
  "managed by a bad domain": made({ managedBy: "A_b/c d" }),
  "managed by a long name": made({ managedBy: `example.com/${"a".repeat(60)}` }),
  "a selector of its own": made({
    manualSelector: true,
    selector: { matchLabels: { app: "a" } },
    template: template({ restartPolicy: "Never" }),
  }),
  "a selector of its own that is missing": made({ manualSelector: true }),
  "a selector of its own of other pods": made({
    manualSelector: true,
    selector: { matchLabels: { app: "b" } },
    template: template({ restartPolicy: "Never" }),
  }),
  "a bad selector of its own": made({
    manualSelector: true,
    selector: { matchLabels: { app: "not good" } },
  }),
  replacement: made({ podReplacementPolicy: "Failed" }),
  "an unknown replacement": made({ podReplacementPolicy: "Soon" }),
  "replacement that does not go with failures": made({
    podReplacementPolicy: "TerminatingOrFailed",
    podFailurePolicy: { rules: [] },
  }),
  "a policy of exit codes": codes({ containerName: "c", values: [1, 2, 42] }),
  "exit codes without an operator": codes({ operator: "" }),
  "exit codes with an unknown operator": codes({ operator: "Of" }),
  "exit codes of nobody": codes({ containerName: "x" }),
  "no exit codes": codes({ values: [] }),
  "exit code zero": codes({ values: [0] }),
  "exit codes twice": codes({ values: [1, 1] }),
  "exit codes without order": codes({ values: [2, 1] }),
  "too many exit codes": codes({ values: many(256, (i) => i + 1) }),
  "a policy of conditions": failing({
    action: "Ignore",
    onPodConditions: [{ type: "DisruptionTarget" }, { type: "Other", status: "False" }],
  }),
  "bad conditions": failing({
    action: "Count",
    onPodConditions: [{ type: "not good", status: "Maybe" }],
  }),
  "too many conditions": failing({
    action: "Count",
    onPodConditions: many(21, (i) => ({ type: `T${i}` })),
  }),
  "a rule without an action": failing({ onPodConditions: [{ type: "A" }] }),
  "a rule with an unknown action": failing({ action: "Odd", onPodConditions: [{ type: "A" }] }),
  "a rule of indexes without a limit": failing({
    action: "FailIndex",
    onPodConditions: [{ type: "A" }],
  }),
  "a rule of both": failing({
    action: "Count",
    onExitCodes: { operator: "NotIn", values: [0] },
    onPodConditions: [{ type: "A" }],
  }),
  "a rule of neither": failing({ action: "Count" }),
  "too many rules": failing(
    ...many(21, () => ({ action: "Count", onPodConditions: [{ type: "A" }] })),
  ),
  "a policy with pods that start again": made({
    podFailurePolicy: { rules: [{ action: "Count", onPodConditions: [{ type: "A" }] }] },
    template: template({ restartPolicy: "OnFailure" }, {}),
  }),
  "success by a number": succeeding({ succeededCount: 2 }),
  "success by indexes": succeeding({ succeededIndexes: "0,2" }),
  "success without indexes": made({ successPolicy: { rules: [{ succeededCount: 1 }] } }),
  "success without rules": succeeding(),
  "success by nothing": succeeding({}),
  "success by too many": succeeding({ succeededCount: 4 }),
  "success by more than the indexes": succeeding({ succeededIndexes: "0-1", succeededCount: 3 }),
  "success by a negative number": succeeding({ succeededCount: -1 }),
  "success by an index that is too large": succeeding({ succeededIndexes: "0,3" }),
  "success by indexes without order": succeeding({ succeededIndexes: "1,0" }),
  "success by an interval backwards": succeeding({ succeededIndexes: "2-1" }),
  "success by three limits": succeeding({ succeededIndexes: "0-1-2" }),
  "success by letters": succeeding({ succeededIndexes: "a" }),
  "success by too many rules": succeeding(...many(21, () => ({ succeededCount: 1 }))),
};

const changed = (spec: object, old: object = {}): Row => ({
  ...made(spec),
  old: { spec: { ...valid, ...old } },
});

const manual = {
  manualSelector: true,
  selector: { matchLabels: { app: "a" } },
  template: template({ restartPolicy: "Never" }),
};
const replaced = (spec: object, old: object = {}): Row =>
  changed({ ...manual, ...spec }, { ...manual, ...old });
const scheduled = (spec: object) => ({ template: template({ restartPolicy: "Never", ...spec }) });
const nodeAffinity = {
  requiredDuringSchedulingIgnoredDuringExecution: {
    nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "Exists" }] }],
  },
};

/** Changes of jobs whose selector is known beforehand. */
export const jobChangeRows: Rows = {
  "the template": replaced(scheduled({ hostNetwork: true })),
  "a template with much in it": replaced({
    template: template(
      {
        restartPolicy: "Never",
        hostPID: true,
        securityContext: { runAsUser: 1, sysctls: [{ name: "net.core.somaxconn", value: "1" }] },
        nodeSelector: { z: "1", a: "<2>" },
        overhead: { memory: "64Mi", cpu: "250m" },
        tolerations: [{ key: "k", operator: "Exists", tolerationSeconds: 5, effect: "NoExecute" }],
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: "zone",
            whenUnsatisfiable: "DoNotSchedule",
            labelSelector: { matchLabels: { z: "1", a: "2" } },
          },
        ],
        imagePullSecrets: [{ name: "s" }],
        volumes: [
          { name: "a", emptyDir: { sizeLimit: "1Gi" } },
          { name: "b", configMap: { name: "m", items: [{ key: "k", path: "p" }] } },
          { name: "d", rbd: { monitors: ["m"], image: "i" } },
          {
            name: "e",
            projected: {
              sources: [{ serviceAccountToken: { path: "t", expirationSeconds: 700 } }],
            },
          },
          {
            name: "f",
            ephemeral: {
              volumeClaimTemplate: {
                metadata: { labels: { z: "1", a: "2" } },
                spec: {
                  accessModes: ["ReadWriteOnce"],
                  resources: { requests: { storage: "1Gi" } },
                },
              },
            },
          },
        ],
        initContainers: [{ name: "i", image: "i:1", restartPolicy: "Always" }],
        containers: [
          {
            name: "c",
            image: "c:1",
            args: ["a"],
            env: [
              { name: "A", value: "<&>" },
              { name: "B", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
            ],
            envFrom: [{ prefix: "P_", configMapRef: { name: "m" } }],
            ports: [{ containerPort: 80, name: "http" }],
            livenessProbe: { httpGet: { port: "http" } },
            readinessProbe: { tcpSocket: { port: 80 } },
            lifecycle: { preStop: { exec: { command: ["x"] } } },
            resources: { limits: { memory: "1Gi", cpu: "1" }, requests: { cpu: "100m" } },
            securityContext: { capabilities: { drop: ["ALL"] }, runAsNonRoot: true },
            volumeMounts: [{ name: "a", mountPath: "/a", readOnly: true }],
          },
        ],
      },
      { labels: { z: "1", app: "a" }, annotations: { z: "1", b: "2" } },
    ),
  }),
  "a template without containers": replaced({
    template: { metadata: { labels: { app: "a" } }, spec: { restartPolicy: "Never" } },
  }),
  "where pods run": replaced(scheduled({ nodeSelector: { a: "b" } })),
  "more than where pods run while it is suspended": replaced(
    { suspend: true, ...scheduled({ nodeSelector: { a: "b" }, priorityClassName: "p" }) },
    { suspend: true },
  ),
  "labels of pods while it is suspended": replaced(
    {
      suspend: true,
      template: template({ restartPolicy: "Never" }, { labels: { app: "a", x: "y" } }),
    },
    { suspend: true },
  ),
  "the affinity to other pods while it is suspended": replaced(
    {
      suspend: true,
      ...scheduled({
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: "zone", labelSelector: { matchLabels: { a: "b" } } },
            ],
          },
        },
      }),
    },
    { suspend: true, ...scheduled({ affinity: { nodeAffinity } }) },
  ),
  nothing: replaced({}),
  "what may change": replaced({
    parallelism: 3,
    activeDeadlineSeconds: 5,
    backoffLimit: 1,
    suspend: true,
    ttlSecondsAfterFinished: 1,
  }),
  completions: replaced({ completions: 2 }, { completions: 1 }),
  "completions of an indexed one with parallelism": replaced(
    { ...indexed, completions: 5, parallelism: 5 },
    indexed,
  ),
  "completions of an indexed one alone": replaced({ ...indexed, completions: 5 }, indexed),
  "the mode": replaced(indexed, { completions: 3, parallelism: 3 }),
  "the selector": replaced({ selector: { matchLabels: { app: "a", x: "y" } } }),
  "the failure policy": replaced({
    podFailurePolicy: {
      rules: [
        { action: "FailJob", onExitCodes: { operator: "In", values: [1] } },
        { action: "Count", onPodConditions: [{ type: "A" }] },
      ],
    },
  }),
  "the success policy": replaced(
    { ...indexed, successPolicy: { rules: [{ succeededCount: 1 }] } },
    indexed,
  ),
  "who manages it": replaced({ managedBy: "example.com/b" }, { managedBy: "example.com/a" }),
  "the limit of each index": replaced({ ...perIndex, backoffLimitPerIndex: 2 }, perIndex),
  "where pods run while it is suspended": replaced(
    {
      suspend: true,
      ...scheduled({
        nodeSelector: { a: "b" },
        tolerations: [{ key: "a", operator: "Exists" }],
        affinity: { nodeAffinity },
      }),
    },
    { suspend: true },
  ),
  "that pods may run anywhere while it is suspended": replaced(
    { suspend: true },
    { suspend: true, ...scheduled({ affinity: { nodeAffinity } }) },
  ),
};

const finished = (type: string, ...others: string[]) => ({
  conditions: [type, ...others].map((each) => ({ type: each, status: "True" })),
});
const start = "2026-01-01T00:00:00Z";
const end = "2026-01-01T00:05:00Z";
const complete = {
  ...finished("Complete", "SuccessCriteriaMet"),
  startTime: start,
  completionTime: end,
  succeeded: 1,
};
const failed = { ...finished("Failed", "FailureTarget"), startTime: start, failed: 1 };
const written = (status: object, oldStatus?: object, spec: object = {}): Row => ({
  object: { spec: { ...manual, ...spec }, status },
  old: { spec: { ...manual, ...spec } },
  ...(oldStatus && { oldStatus }),
  status: true,
});

export const jobStatusRows: Rows = {
  "a beginning": written({ startTime: start, active: 1, ready: 1 }),
  "negative numbers": written({
    active: -1,
    succeeded: -1,
    failed: -1,
    ready: -2,
    terminating: -1,
  }),
  "a completion": written(complete),
  "a failure": written(failed),
  "a completion without a time": written({ ...complete, completionTime: undefined }),
  "a completion that nobody has announced": written({ ...complete, ...finished("Complete") }),
  "a failure that nobody has announced": written({ ...failed, ...finished("Failed") }),
  "a time without a completion": written({ startTime: start, completionTime: end }),
  "an end before the beginning": written({ ...complete, completionTime: "2025-01-01T00:00:00Z" }),
  "a completion that is a failure": written({
    ...complete,
    ...finished("Complete", "SuccessCriteriaMet", "Failed", "FailureTarget"),
  }),
  "a completion with pods": written({ ...complete, active: 1, terminating: 1 }),
  "a completion without a beginning": written({ ...complete, startTime: undefined }),
  "a completion with pods to count": written({
    ...complete,
    uncountedTerminatedPods: { succeeded: ["u"] },
  }),
  "pods to count": written({
    uncountedTerminatedPods: { succeeded: ["a", "a"], failed: ["", "a"] },
  }),
  "more ready than active": written({ active: 1, ready: 2 }),
  "indexes without indexes": written({ completedIndexes: "0", failedIndexes: "1" }),
  indexes: written({ completedIndexes: "0-1", failedIndexes: "2" }, undefined, perIndex),
  "indexes that are none": written(
    { completedIndexes: "a", failedIndexes: "1-" },
    undefined,
    perIndex,
  ),
  "indexes of both kinds": written(
    { completedIndexes: "0-1", failedIndexes: "1-2" },
    undefined,
    perIndex,
  ),
  "success for a policy": written(
    { ...finished("SuccessCriteriaMet"), startTime: start },
    undefined,
    { ...indexed, successPolicy: { rules: [{ succeededCount: 1 }] } },
  ),
  "success and a failure": written({ ...finished("SuccessCriteriaMet", "FailureTarget") }),
  "a completion taken back": written({ startTime: start }, complete),
  "a failure taken back": written({ startTime: start }, failed),
  "fewer failures and successes": written(
    { startTime: start },
    { startTime: start, failed: 2, succeeded: 1 },
  ),
  "another beginning": written({ startTime: end }, { startTime: start }),
  "another end": written({ ...complete, completionTime: "2026-01-01T00:06:00Z" }, complete),
  "a beginning taken back while suspended": written({}, { startTime: start }, { suspend: true }),
  "a suspended one": written({ ...finished("Suspended") }, undefined, { suspend: true }),
};
