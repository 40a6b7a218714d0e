import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import type { NestedAPIServer, NestedEtcd } from "@rookery/api";
import { ComponentError } from "../errors.ts";
import { type Allowances, isAllowedHost, isAllowedImage, noAllowances } from "./allowances.ts";
import { type CheckedComponent, closedFields, refuseClosedFields } from "./closed-fields.ts";

const apiServer = (spec: object): CheckedComponent => ({
  kind: "NestedAPIServer",
  spec: { profile: "full", ...spec } as NestedAPIServer["spec"],
});
const etcd = (spec: object): CheckedComponent => ({
  kind: "NestedEtcd",
  spec: spec as NestedEtcd["spec"],
});
const deployment = (change: object) => ({ apiVersion: "apps/v1", kind: "Deployment", ...change });
const pod = (spec: object) => deployment({ spec: { template: { spec } } });
const container = (change: object) => pod({ containers: [{ name: "apiserver", ...change }] });
const patches = (...all: object[]) => apiServer({ patches: all });
const args = (name: string, value = "x") => apiServer({ extraArgs: [{ name, value }] });
const paths = (component: CheckedComponent, allowances: Partial<Allowances> = {}) =>
  closedFields(component, { ...noAllowances, ...allowances }).map(({ path }) => String(path));

describe("closed by default, and open by the flag that the message names", () => {
  const rows: Record<
    string,
    [component: CheckedComponent, flag: RegExp, opened: Partial<Allowances>]
  > = {
    "an image": [
      etcd({ image: "evil.example/etcd:1" }),
      /--allowed-images=evil\.example\/etcd$/,
      { images: ["evil.example/etcd"] },
    ],
    "a flag that names a file": [
      args("audit-webhook-config-file"),
      /--allowed-extra-args=kube-apiserver:audit-webhook-config-file$/,
      { extraArgs: ["kube-apiserver:*"] },
    ],
    "a flag of the light profile": [
      apiServer({ profile: "light", extraArgs: [{ name: "audit-log-path", value: "/x" }] }),
      /--allowed-extra-args=rookery:audit-log-path$/,
      { extraArgs: ["rookery:audit-log-path"] },
    ],
    "a host": [
      apiServer({ service: { host: "metadata.internal" } }),
      /--allowed-hosts=metadata\.internal$/,
      { hosts: ["*.internal"] },
    ],
    "an annotation of the Service": [
      apiServer({ service: { annotations: { "external-dns.example/hostname": "x" } } }),
      /--allowed-service-annotations=external-dns\.example\/hostname$/,
      { serviceAnnotations: ["external-dns.example/*"] },
    ],
    "another account": [
      patches(pod({ serviceAccountName: "admin" })),
      /--allowed-patches=Deployment:spec\.template\.spec\.serviceAccountName$/,
      { patches: ["Deployment:spec.template.spec.serviceAccountName"] },
    ],
    "a variable from a Secret": [
      patches(container({ env: [{ name: "A", valueFrom: { secretKeyRef: { name: "b" } } }] })),
      /--allowed-patches=Deployment:spec\.template\.spec\.containers\[apiserver\]\.env$/,
      { patches: ["Deployment:spec.template.spec.containers[apiserver].env"] },
    ],
    "an annotation that somebody acts on": [
      patches(deployment({ metadata: { annotations: { "inject.example/agent": "true" } } })),
      /--allowed-patches=Deployment:metadata\.annotations\[inject\.example\/agent\]$/,
      { patches: ["Deployment:metadata.annotations[inject.example/*]"] },
    ],
  };
  for (const [name, [component, flag, opened]] of Object.entries(rows)) {
    it(name, () => {
      const [closed, ...others] = closedFields(component, noAllowances);
      assert.deepEqual(others, []);
      assert.match(closed?.why ?? "", flag);
      assert.deepEqual(paths(component, opened), []);
      assert.throws(
        () => refuseClosedFields(component, noAllowances),
        (error) => error instanceof ComponentError && error.reason === "NotAllowed",
      );
    });
  }
});

describe("a patch is closed that sets", () => {
  const rows: Record<string, object> = {
    "the host's processes": pod({ hostPID: true }),
    "the host's network": pod({ hostNetwork: true }),
    "a node by its name": pod({ nodeName: "control-plane" }),
    "a priority": pod({ priorityClassName: "system-node-critical" }),
    "a runtime": pod({ runtimeClassName: "unsafe" }),
    "names of hosts": pod({ hostAliases: [{ ip: "10.0.0.1", hostnames: ["etcd"] }] }),
    "a token": pod({ automountServiceAccountToken: true }),
    "pull secrets": pod({ imagePullSecrets: [{ name: "other" }] }),
    "a volume": pod({ volumes: [{ name: "v", secret: { secretName: "other" } }] }),
    "a token of another audience": pod({
      volumes: [{ name: "v", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } }],
    }),
    "a claim of others": pod({
      volumes: [{ name: "v", persistentVolumeClaim: { claimName: "other" } }],
    }),
    "a container beside it": pod({ containers: [{ name: "sidecar", image: "x" }] }),
    "a container first": pod({ initContainers: [{ name: "first", image: "x" }] }),
    "a container for a while": pod({ ephemeralContainers: [{ name: "debug", image: "x" }] }),
    "an image": container({ image: "evil.example/x" }),
    "a command": container({ command: ["sh"] }),
    arguments: container({ args: ["--etcd-servers=https://other:2379"] }),
    "an environment": container({ envFrom: [{ secretRef: { name: "other" } }] }),
    "the host of a probe": container({ livenessProbe: { httpGet: { host: "169.254.169.254" } } }),
    "a command of a probe": container({ livenessProbe: { exec: { command: ["sh"] } } }),
    "a hook": container({ lifecycle: { preStop: { httpGet: { host: "10.0.0.1", port: 1 } } } }),
    "a security context": container({ securityContext: { privileged: true } }),
    "nothing at all of one": pod({ securityContext: null }),
    "an owner": deployment({ metadata: { ownerReferences: [{ uid: "1" }] } }),
    "a finalizer": deployment({ metadata: { finalizers: ["example.com/stay"] } }),
    "a label by which others find pods": deployment({
      spec: { template: { metadata: { labels: { app: "database" } } } },
    }),
    "all labels": deployment({ metadata: { labels: null } }),
    "how many pods there are": deployment({ spec: { replicas: 1000 } }),
    "the whole by a directive": pod({ $patch: "replace", containers: [] }),
    "an item that goes": container({ $patch: "delete" }),
    "an order": pod({ "$setElementOrder/containers": [{ name: "a" }] }),
    "affinity to pods of other namespaces": pod({
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: "zone", labelSelector: {}, namespaceSelector: {} },
          ],
        },
      },
    }),
    "an address of a Service": {
      apiVersion: "v1",
      kind: "Service",
      spec: { externalIPs: ["8.8.8.8"] },
    },
    "the type of a Service": { apiVersion: "v1", kind: "Service", spec: { type: "ExternalName" } },
    "the name that a Service leads to": {
      apiVersion: "v1",
      kind: "Service",
      spec: { externalName: "metadata.internal" },
    },
    "ranges of a load balancer": {
      apiVersion: "v1",
      kind: "Service",
      spec: { loadBalancerSourceRanges: [], loadBalancerIP: "10.0.0.1" },
    },
    "a budget that no drain gets past": {
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      spec: { maxUnavailable: 0 },
    },
    "the volume of a claim": {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      spec: { volumeName: "somebody-elses" },
    },
  };
  for (const [name, patch] of Object.entries(rows)) {
    it(name, () => assert.deepEqual([...new Set(paths(patches(patch)))], ["spec.patches[0]"]));
  }
});

test("patches may say where pods run, how much they use and how patient their probes are", () => {
  const labelSelector = { matchLabels: { a: "b" } };
  const term = { topologyKey: "kubernetes.io/hostname", labelSelector };
  const harmless = [
    deployment({ spec: { progressDeadlineSeconds: 10, minReadySeconds: 1 } }),
    deployment({ metadata: { labels: { "tenant.rookery.dev/team": "a" } } }),
    deployment({
      spec: { template: { metadata: { annotations: { "tenant.rookery.dev/a": "1" } } } },
    }),
    pod({ nodeSelector: { pool: "tenants" }, tolerations: [{ key: "a", operator: "Exists" }] }),
    pod({
      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
    }),
    pod({
      topologySpreadConstraints: [{ ...term, maxSkew: 1, whenUnsatisfiable: "DoNotSchedule" }],
    }),
    container({ resources: { limits: { cpu: "1" }, requests: { memory: "1Gi" } } }),
    container({ livenessProbe: { failureThreshold: 20 } }),
  ];
  assert.deepEqual(paths(patches(...harmless)), []);
});

test("flags are harmless that name no file, no host and no plugin", () => {
  assert.deepEqual(paths(args("event-ttl", "2h")), []);
  assert.deepEqual(paths(etcd({ extraArgs: [{ name: "event-ttl", value: "2h" }] })), [
    "spec.extraArgs[0]",
  ]);
});

test("what is open names what it opens and nothing beside", () => {
  const allowed = { patches: ["Deployment:spec.template.spec.containers[apiserver].env"] };
  assert.deepEqual(paths(patches(container({ env: [] })), allowed), []);
  assert.equal(paths(patches(container({ envFrom: [] })), allowed).length, 1);
  assert.equal(paths(patches(container({ command: ["sh"] })), allowed).length, 1);
});

test("what the standard restricted refuses has no way out by a flag", () => {
  const [closed] = closedFields(patches(pod({ hostPID: true })), noAllowances);
  assert.match(closed?.why ?? "", /no flag allows more/);
  assert.doesNotMatch(closed?.why ?? "", /--allowed/);
});

test("however much is closed, a message names only so much of it", () => {
  const many = Array.from({ length: 5000 }, (_, at) => pod({ [`field${at}`]: true }));
  assert.throws(
    () => refuseClosedFields(patches(...many), noAllowances),
    (error) =>
      error instanceof Error && error.message.length < 4000 && /4992 more/.test(error.message),
  );
});

describe("images", () => {
  const rows: readonly [image: string, pattern: string, isAllowed: boolean][] = [
    ["r.example/etcd:3.6", "r.example/etcd", true],
    ["r.example/etcd@sha256:abc", "r.example/etcd", true],
    ["r.example:5000/etcd:1", "r.example:5000/etcd", true],
    ["r.example/etcd:3.6", "r.example/etcd:3.6", true],
    ["r.example/etcd:3.7", "r.example/etcd:3.6", false],
    ["r.example/k8s/etcd:1", "r.example/k8s/*", true],
    ["r.example/k8s-evil/etcd:1", "r.example/k8s/*", false],
    ["r.example/k8s/../evil/etcd:1", "r.example/k8s/*", false],
    ["r.example/etcd-evil:1", "r.example/etcd", false],
    ["r.example/etcd", "*", false],
  ];
  for (const [image, pattern, isAllowed] of rows) {
    it(`${image} ${isAllowed ? "is" : "is not"} ${pattern}`, () =>
      assert.equal(isAllowedImage(image, [pattern]), isAllowed));
  }
});

describe("hosts", () => {
  const rows: readonly [host: string, pattern: string, isAllowed: boolean][] = [
    ["a.example.com", "*.example.com", true],
    ["A.Example.com", "*.example.com", true],
    ["example.com", "*.example.com", false],
    ["evilexample.com", "*.example.com", false],
    ["10.0.0.1", "10.0.0.1", true],
    ["10.0.0.1", "*", true],
  ];
  for (const [host, pattern, isAllowed] of rows) {
    it(`${host} ${isAllowed ? "is" : "is not"} ${pattern}`, () =>
      assert.equal(isAllowedHost(host, [pattern]), isAllowed));
  }
});
