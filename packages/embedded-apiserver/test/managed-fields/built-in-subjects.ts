import { apply, create, json, merge, type Subject, strategic, update } from "./sequence.ts";

const force = { force: true };
const status = { subresource: "status" };

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";
const clientSide = (data: object) => ({
  metadata: {
    annotations: {
      [lastApplied]: `${JSON.stringify({ apiVersion: "v1", data, kind: "ConfigMap", metadata: {} })}\n`,
    },
  },
  data,
});

const configMaps: Subject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  model: "io.k8s.api.core.v1.ConfigMap",
  goType: "k8s.io/api/core/v1.ConfigMap",
  sequences: {
    "a creation owns what it says": [
      create("ann", {
        metadata: { labels: { a: "1" }, annotations: { b: "2" } },
        data: { x: "1" },
      }),
    ],
    "an empty object is owned by nobody": [create("ann", {})],
    "an update owns what it changes and takes it from others": [
      create("ann", { data: { x: "1", y: "1" } }),
      merge("ben", { data: { x: "2", z: "1" } }),
      merge("ann", { data: { z: "3" } }),
    ],
    "an update that changes nothing leaves all as it is": [
      create("ann", { data: { x: "1" } }),
      merge("ben", { data: { x: "1" } }),
      merge("ann", { data: { x: "1" } }),
    ],
    "who loses everything goes": [
      create("ann", { data: { x: "1" } }),
      merge("ben", { data: { y: "1" } }),
      merge("ann", { data: { y: "2" } }),
      json("ben", [{ op: "remove", path: "/data" }]),
    ],
    "a patch may remove what another owns": [
      create("ann", { metadata: { finalizers: ["example.com/a"] }, data: { x: "1" } }),
      merge("ben", { metadata: { finalizers: [] } }),
      merge("ben", { data: null }),
    ],
    "a manager applies twice": [
      apply("ann", { data: { x: "1", y: "1" } }),
      apply("ann", { data: { x: "2" } }),
      apply("ann", { data: { x: "2" } }),
    ],
    "two managers apply different fields": [
      apply("ann", { data: { x: "1" } }),
      apply("ben", { data: { y: "1" } }),
      apply("ann", { data: {} }),
      apply("ben", {}),
    ],
    "two managers apply the same value and both own it": [
      apply("ann", { data: { x: "1" } }),
      apply("ben", { data: { x: "1" } }),
      apply("ann", {}),
      apply("ben", {}),
    ],
    "a conflict with one who applied": [
      apply("ann", { data: { x: "1" } }),
      apply("ben", { data: { x: "2" } }),
      apply("ben", { data: { x: "2" } }, force),
      apply("ann", { data: { x: "1" } }),
    ],
    "conflicts with several": [
      apply("ann", { data: { x: "1", a: "1" }, metadata: { labels: { l: "1" } } }),
      merge("ben", { data: { y: "1", z: "1" } }),
      apply("cat", { data: { x: "2", y: "2", z: "2", a: "2" }, metadata: { labels: { l: "2" } } }),
    ],
    "a conflict with one who updated": [
      create("ann", { data: { x: "1" } }),
      apply("ben", { data: { x: "2" } }),
      apply("ben", { data: { x: "2" } }, force),
    ],
    "what was updated since is kept": [
      apply("ann", { data: { x: "1" } }),
      merge("ben", { data: { x: "2" } }),
      apply("ann", { data: {} }),
    ],
    "who applied and updates has two entries": [
      apply("ann", { data: { x: "1" } }),
      merge("ann", { data: { x: "2", y: "2" } }),
      apply("ann", { data: { x: "3" } }),
      apply("ann", { data: { x: "3" } }, force),
    ],
    "entries are given up": [
      create("ann", { data: { x: "1" } }),
      merge("ben", { metadata: { managedFields: [] } }),
      merge("cat", { data: { y: "1" } }),
      apply("dan", { data: { x: "2", y: "2" } }),
      apply("dan", { data: { x: "2" } }, force),
    ],
    "entries are given up by one that is empty": [
      apply("ann", { data: { x: "1" } }),
      merge("ann", { metadata: { managedFields: [{}] } }),
      merge("ben", { data: { x: "2" } }),
    ],
    "null does not give up entries": [
      create("ann", { data: { x: "1" } }),
      merge("ben", { metadata: { managedFields: null }, data: { y: "1" } }),
    ],
    "entries are written by hand": [
      create("ann", { data: { x: "1", y: "1" } }),
      merge("ben", {
        metadata: {
          managedFields: [
            {
              manager: "zoe",
              operation: "Apply",
              apiVersion: "v1",
              time: "2020-01-01T00:00:00Z",
              fieldsType: "FieldsV1",
              fieldsV1: { "f:data": { "f:x": {} } },
            },
          ],
        },
        data: { y: "2" },
      }),
    ],
    "entries of a version that is not there go": [
      create("ann", { data: { x: "1", y: "1" } }),
      merge("ben", {
        metadata: {
          managedFields: [
            {
              manager: "zoe",
              operation: "Update",
              apiVersion: "v0",
              fieldsType: "FieldsV1",
              fieldsV1: { "f:data": { "f:x": {} } },
            },
          ],
        },
      }),
    ],
    "entries that can't be read are not taken": [
      create("ann", { data: { x: "1", y: "1" } }),
      merge("ben", {
        metadata: { managedFields: [{ manager: "zoe", operation: "Nope", apiVersion: "v1" }] },
        data: { y: "2" },
      }),
    ],
    "applied managedFields are refused": [
      apply("ann", { metadata: { managedFields: [] }, data: { x: "1" } }),
    ],
    "an unknown field is refused": [apply("ann", { data: { x: "1" }, spec: {} })],
    "a value of another type is refused": [apply("ann", { data: { x: 1 } })],
    "a map in place of a text is refused": [
      apply("ann", { data: { x: { a: [1, "b", null, 1.5] } } }),
    ],
    "a text in place of a truth is refused": [apply("ann", { immutable: "yes" })],
    "a list in place of a map is refused": [apply("ann", { data: [1] })],
    "another kind is refused": [apply("ann", { kind: "Secret", data: {} })],
    "another version is refused": [apply("ann", { apiVersion: "apps/v1" })],
    "finalizers are a set": [
      apply("ann", { metadata: { finalizers: ["example.com/a", "example.com/b"] } }),
      merge("ben", { metadata: { finalizers: ["example.com/c", "example.com/a"] } }),
      apply("ann", { metadata: { finalizers: ["example.com/b"] } }),
      apply("cat", { metadata: { finalizers: ["example.com/d", "example.com/c"] } }),
      merge("ben", { metadata: { finalizers: [] } }),
    ],
    "a set with something twice is refused": [
      apply("ann", { metadata: { finalizers: ["example.com/a", "example.com/a"] } }),
    ],
    "what client-side apply wrote is no conflict for kubectl": [
      create("kubectl-client-side-apply", clientSide({ x: "1", y: "1" })),
      apply("kubectl", { data: { x: "2" } }),
      apply("kubectl", { data: { x: "3" } }),
    ],
    "what changed since client-side apply is one": [
      create("kubectl-client-side-apply", clientSide({ x: "1", y: "1" })),
      merge("ben", { data: { x: "0" } }),
      apply("kubectl", { data: { x: "2", y: "2" } }),
    ],
    "what client-side apply wrote is one for others": [
      create("kubectl-client-side-apply", clientSide({ x: "1", y: "1" })),
      apply("ann", { data: { x: "2" } }),
    ],
    "more than ten who updated": [
      create("m00", { data: { x: "0" } }),
      ...Array.from({ length: 13 }, (_, index) =>
        merge(`m${String(index + 1).padStart(2, "0")}`, { data: { [`k${index}`]: "1" } }),
      ),
    ],
    "a replacement": [
      create("ann", { data: { x: "1", y: "1" } }),
      update("ben", { data: { x: "1", z: "1" } }),
    ],
    "a strategic merge patch": [
      create("ann", { data: { x: "1" } }),
      strategic("ben", { data: { y: "1", x: null } }),
    ],
  },
};

const container = (name: string, more: object = {}) => ({ name, image: "i:1", ...more });
const podSpec = (spec: object) => ({ spec: { jobTemplate: { spec: { template: { spec } } } } });
const restartPolicy = "Never";
const cronJob = (containers: unknown[], spec: object = {}) => ({
  metadata: { labels: { app: "a" } },
  spec: {
    schedule: "0 0 1 1 *",
    suspend: true,
    jobTemplate: {
      spec: {
        template: {
          metadata: { labels: { app: "a" } },
          spec: { containers, restartPolicy },
        },
      },
    },
    ...spec,
  },
});

/** Suspended, they are left alone by their controller. */
const cronJobs: Subject = {
  apiVersion: "batch/v1",
  kind: "CronJob",
  plural: "cronjobs",
  model: "io.k8s.api.batch.v1.CronJob",
  goType: "k8s.io/api/batch/v1.CronJob",
  resetFields: { "": [["status"]], status: [["spec"]] },
  sequences: {
    "a creation owns its defaults": [
      create(
        "ann",
        cronJob([
          container("a", {
            env: [{ name: "X", value: "1" }, { name: "Y" }],
            ports: [{ containerPort: 80 }, { containerPort: 80, protocol: "UDP" }],
            resources: { requests: { cpu: "1" } },
            command: ["x"],
          }),
        ]),
      ),
    ],
    "an apply owns what it says": [
      apply(
        "ann",
        cronJob([
          container("a", { ports: [{ containerPort: 80 }], env: [{ name: "X", value: "1" }] }),
        ]),
      ),
      apply("ann", cronJob([container("a", { ports: [{ containerPort: 81 }] })])),
    ],
    "containers by name, ports by number and protocol": [
      apply("ann", cronJob([container("a", { ports: [{ containerPort: 80, name: "http" }] })])),
      apply(
        "ben",
        podSpec({
          containers: [
            { name: "b", image: "i:2" },
            { name: "a", ports: [{ containerPort: 80, protocol: "UDP", name: "dns" }] },
          ],
        }),
      ),
      strategic(
        "cat",
        podSpec({ containers: [{ name: "a", env: [{ name: "X", value: "1" }], image: "i:3" }] }),
      ),
      apply("ann", cronJob([container("a")]), force),
      apply("ben", {}),
    ],
    "a number is taken and given back": [
      apply("ann", cronJob([container("a")], { successfulJobsHistoryLimit: 1 })),
      merge("ben", { spec: { successfulJobsHistoryLimit: 3 } }),
      apply("ann", cronJob([container("a")], { successfulJobsHistoryLimit: 1 })),
      apply("ann", cronJob([container("a")])),
    ],
    "a status is owned by its subresource": [
      create("ann", cronJob([container("a")])),
      merge(
        "ben",
        { status: { lastSuccessfulTime: "2020-01-01T00:00:00Z" }, spec: { schedule: "1 0 1 1 *" } },
        status,
      ),
      merge("ann", { status: { lastSuccessfulTime: null }, spec: { schedule: "2 0 1 1 *" } }),
      apply("cat", { status: { lastSuccessfulTime: "2021-01-01T00:00:00Z" } }, status),
      apply(
        "cat",
        { status: { lastSuccessfulTime: "2021-01-01T00:00:00Z" } },
        { ...status, force: true },
      ),
    ],
    "a port twice is refused": [
      apply(
        "ann",
        cronJob([container("a", { ports: [{ containerPort: 80 }, { containerPort: 80 }] })]),
      ),
    ],
    "fields that are not there are refused": [
      apply("ann", podSpec({ containers: [{ name: "a", imagee: "x" }] })),
    ],
    "a list of nothing is refused": [apply("ann", podSpec({ containers: [null] }))],
  },
};

const networkPolicies: Subject = {
  apiVersion: "networking.k8s.io/v1",
  kind: "NetworkPolicy",
  plural: "networkpolicies",
  model: "io.k8s.api.networking.v1.NetworkPolicy",
  goType: "k8s.io/api/networking/v1.NetworkPolicy",
  sequences: {
    "a selector and a list are owned as a whole": [
      create("ann", { spec: { podSelector: { matchLabels: { app: "a" } }, ingress: [{}] } }),
      apply("ben", { spec: { podSelector: { matchLabels: { app: "a" } } } }),
      apply("cat", { spec: { podSelector: { matchLabels: { tier: "b" } }, ingress: [] } }),
      apply("cat", { spec: { podSelector: { matchLabels: { tier: "b" } } } }, force),
    ],
  },
};

const services: Subject = {
  apiVersion: "v1",
  kind: "Service",
  plural: "services",
  model: "io.k8s.api.core.v1.Service",
  goType: "k8s.io/api/core/v1.Service",
  resetFields: { "": [["status"]], status: [["spec"]] },
  allocated: [
    ["spec", "clusterIP"],
    ["spec", "clusterIPs"],
    ["spec", "ipFamilies"],
    ["spec", "ipFamilyPolicy"],
  ],
  sequences: {
    "ports by number and protocol": [
      create("ann", { spec: { ports: [{ name: "a", port: 80 }], selector: { app: "a" } } }),
      strategic("ben", { spec: { ports: [{ name: "b", port: 81 }] } }),
      apply(
        "cat",
        {
          spec: {
            ports: [
              { name: "c", port: 80, protocol: "UDP" },
              { name: "a", port: 80, protocol: "TCP", targetPort: "web" },
            ],
          },
        },
        force,
      ),
      apply("cat", { spec: { ports: [{ name: "c", port: 80, protocol: "UDP" }] } }),
    ],
  },
};

export const builtInSubjects: readonly Subject[] = [
  configMaps,
  cronJobs,
  networkPolicies,
  services,
];
