import assert from "node:assert/strict";
import { createServer, type Server } from "node:net";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { builtInResources, isForbidden, type KubeObject } from "@rookery/kube";
import { createCertificateAuthority } from "@rookery/pki";
import { coreClusters } from "./core-resources.ts";
import { resources } from "./tenant.ts";
import { type ComponentName, components, type TenantAccount, TenantPlane } from "./tenant-plane.ts";

const { secrets } = builtInResources;
const workload = (component: ComponentName, spec: object) => ({
  apiVersion: "apps/v1",
  kind: component === "etcd" ? "StatefulSet" : "Deployment",
  spec,
});
const podOf = (component: ComponentName, spec: object) => ({
  patches: [workload(component, { template: { spec } })],
});
const containerOf = (component: ComponentName, change: object) => {
  const name = component === "controllerManager" ? "controller-manager" : component;
  return podOf(component, { containers: [{ name, ...change }] });
};
const service = (spec: object) => ({ patches: [{ apiVersion: "v1", kind: "Service", spec }] });
const args = (name: string, value: string) => ({ extraArgs: [{ name, value }] });
const everyPod = {
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { topologyKey: "topology.kubernetes.io/zone", labelSelector: {}, namespaceSelector: {} },
    ],
  },
};

/** What a tenant writes into the spec of a component, by what it is for. */
const specs: Readonly<Record<string, readonly [ComponentName, object]>> = {
  "a tenant mounts the host's root by a patch of its API server": [
    "apiserver",
    podOf("apiserver", { volumes: [{ name: "root", hostPath: { path: "/" } }] }),
  ],
  "a tenant joins the host's processes by a patch of its etcd": [
    "etcd",
    podOf("etcd", { hostPID: true, hostNetwork: true, hostIPC: true }),
  ],
  "a tenant runs a privileged container by a patch of its etcd": [
    "etcd",
    containerOf("etcd", { securityContext: { privileged: true } }),
  ],
  "a tenant runs as root by taking the security context away": [
    "apiserver",
    podOf("apiserver", { securityContext: null }),
  ],
  "a tenant runs a program of its own by its image": [
    "etcd",
    { image: "docker.io/library/busybox:1" },
  ],
  "a tenant runs a program of its own by the command of a patch": [
    "etcd",
    containerOf("etcd", { command: ["/bin/sh", "-c", "id"] }),
  ],
  "a tenant brings a container beside its API server": [
    "apiserver",
    podOf("apiserver", { containers: [{ name: "mine", image: "busybox" }] }),
  ],
  "a tenant brings a container before its API server": [
    "apiserver",
    podOf("apiserver", { initContainers: [{ name: "mine", image: "busybox" }] }),
  ],
  "a tenant mounts a Secret of its namespace that it may not read": [
    "apiserver",
    podOf("apiserver", { volumes: [{ name: "theirs", secret: { secretName: "theirs" } }] }),
  ],
  "a tenant reads a Secret into the environment of its etcd": [
    "etcd",
    containerOf("etcd", { envFrom: [{ secretRef: { name: "theirs" } }] }),
  ],
  "a tenant lets its pods act as an account of the namespace": [
    "controllerManager",
    podOf("controllerManager", {
      serviceAccountName: "operator",
      automountServiceAccountToken: true,
    }),
  ],
  "a tenant has a token of the super cluster projected into its pod": [
    "apiserver",
    podOf("apiserver", {
      volumes: [{ name: "t", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } }],
    }),
  ],
  "a tenant takes the place of system pods by their priority": [
    "apiserver",
    podOf("apiserver", { priorityClassName: "system-node-critical" }),
  ],
  "a tenant gets past the scheduler by the name of a node": [
    "apiserver",
    podOf("apiserver", { nodeName: "control-plane-0" }),
  ],
  "a tenant keeps all others from nodes by an anti-affinity to every namespace": [
    "apiserver",
    podOf("apiserver", { affinity: everyPod }),
  ],
  "a tenant has kubelets ask a host of its choice by a probe": [
    "apiserver",
    containerOf("apiserver", { livenessProbe: { httpGet: { host: "169.254.169.254", port: 80 } } }),
  ],
  "a tenant has its API server send its audit log to a host of its choice": [
    "apiserver",
    args("audit-webhook-config-file", "/tmp/kubeconfig"),
  ],
  "a tenant has its API server read a file of the image as tokens": [
    "apiserver",
    args("token-auth-file", "/proc/self/environ"),
  ],
  "a tenant points its API server at the etcd of somebody else": [
    "apiserver",
    args("etcd-servers", "https://honest-etcd-0.honest-etcd.honest.svc:2379"),
  ],
  "a tenant writes the audit log of a light API server over its data": [
    "apiserver",
    { profile: "light", ...args("audit-log-path", "/var/lib/rookery/data/store") },
  ],
  "a tenant takes an address of the outside by a patch of its Service": [
    "apiserver",
    service({ externalIPs: ["10.0.0.1"] }),
  ],
  "a tenant leads its Service to a host of its choice": [
    "apiserver",
    service({ type: "ExternalName", externalName: "metadata.internal" }),
  ],
  "a tenant takes a name in DNS by an annotation of its Service": [
    "apiserver",
    { service: { annotations: { "external-dns.alpha.kubernetes.io/hostname": "honest.example" } } },
  ],
  "a tenant binds the volume of somebody else by a patch of its claims": [
    "etcd",
    {
      patches: [
        workload("etcd", {
          volumeClaimTemplates: [{ metadata: { name: "data" }, spec: { volumeName: "theirs" } }],
        }),
      ],
    },
  ],
  "a tenant lets no node be drained by a patch of its budget": [
    "etcd",
    {
      patches: [
        { apiVersion: "policy/v1", kind: "PodDisruptionBudget", spec: { maxUnavailable: 0 } },
      ],
    },
  ],
  "a tenant makes a thousand pods by a patch of the replicas": [
    "controllerManager",
    { patches: [workload("controllerManager", { replicas: 1000 })] },
  ],
};

describe("attacks by who may write nested kinds alone", () => {
  const stack = new AsyncDisposableStack();
  let plane: TenantPlane;
  let honest: TenantAccount;
  let attacker: TenantAccount;
  let count = 0;
  const next = () => `a${count++}`;

  before(async () => {
    plane = stack.use(await TenantPlane.start());
    honest = await plane.tenant("honest");
    attacker = await plane.tenant("attacker");
    await honest.make("honest");
    await plane.admin.resource<KubeObject>(secrets).create({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { namespace: attacker.namespace, name: "theirs" },
    });
  });
  after(() => stack.disposeAsync());

  for (const [name, [component, spec]] of Object.entries(specs)) {
    it(name, async () => {
      const cluster = next();
      await attacker.make(cluster, { [component]: spec });
      const condition = { type: "UpToDate", reason: "NotAllowed" };
      const message = await attacker.hears(components[component], cluster, condition);
      assert.match(message, /^spec\.|could not render/);
      const suffix = component === "controllerManager" ? "controller-manager" : component;
      const made = [
        ...(await attacker.list("apps", "Deployment")),
        ...(await attacker.list("apps", "StatefulSet")),
        ...(component === "apiserver" ? await attacker.list("", "Service") : []),
      ];
      const names = made.map(({ metadata }) => metadata.name);
      assert.ok(!names.includes(`${cluster}-${suffix}`), names.join());
    });
  }

  describe("where the administrator has opened patches of pods altogether", () => {
    before(() => plane.restartManagers({ patches: ["Deployment:spec", "StatefulSet:spec"] }));
    after(() => plane.restartManagers());
    const unrestricted = ["root", "processes", "privileged", "security context", "beside"];
    for (const [name, [component, spec]] of Object.entries(specs)) {
      if (!unrestricted.some((word) => name.includes(word))) continue;
      it(`${name}, all the same`, async () => {
        const cluster = next();
        await attacker.make(cluster, { [component]: spec });
        const condition = { type: "UpToDate", reason: "NotAllowed" };
        const message = await attacker.hears(components[component], cluster, condition);
        assert.match(message, /Pod Security Standard restricted/);
      });
    }
  });

  describe("by what the manager connects to, owns and signs", () => {
    let listener: Server;
    let port = 0;
    let connections = 0;
    before(async () => {
      listener = createServer((socket) => {
        connections++;
        socket.destroy();
      });
      await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
      const address = listener.address();
      port = typeof address === "object" ? (address?.port ?? 0) : 0;
    });
    after(() => void listener.close());

    it("a tenant has the manager connect to a host of its choice by the endpoint of its control plane", async () => {
      const cluster = next();
      const controlPlaneEndpoint = { host: "127.0.0.1", port };
      await attacker.make(cluster, { controlPlane: { controlPlaneEndpoint } });
      await attacker.has("", "Secret", `${cluster}-ca`);
      for (let round = 0; round < 5; round++) {
        const spec = { controlPlaneEndpoint };
        await attacker.change(resources.controlPlanes, cluster, { spec });
        await delay(200);
      }
      assert.equal(connections, 0);
    });

    it("a tenant has the manager connect to a host of its choice by the host of its Service", async () => {
      const cluster = next();
      await attacker.make(cluster, { apiserver: { service: { host: "127.0.0.1", port } } });
      const condition = { type: "UpToDate", reason: "NotAllowed" };
      await attacker.hears(resources.apiserver, cluster, condition);
      await delay(500);
      assert.equal(connections, 0);
    });

    it("a tenant names a foreign API server, and an endpoint that the manager asks", async () => {
      const cluster = next();
      const apiserver = { apiVersion: "other.example/v1", kind: "Server", name: cluster };
      const controlPlaneEndpoint = { host: "127.0.0.1", port };
      await attacker.make(cluster, { controlPlane: { apiserver, controlPlaneEndpoint } });
      const condition = { type: "EndpointAvailable", reason: "NotAllowed" };
      const message = await attacker.hears(resources.controlPlanes, cluster, condition);
      assert.match(message, /--allowed-hosts=127\.0\.0\.1/);
      assert.equal(connections, 0);
    });

    it("a tenant has the manager delete a Secret that it names as its etcd", async () => {
      const cluster = next();
      const etcd = { apiVersion: "v1", kind: "Secret", name: "theirs" };
      await attacker.make(cluster, { controlPlane: { etcd } });
      const condition = { type: "ComponentsFound", reason: "ComponentForbidden" };
      await attacker.hears(resources.controlPlanes, cluster, condition);
      const key = { namespace: attacker.namespace, name: cluster };
      await attacker.client.resource(resources.controlPlanes).delete(key);
      await delay(1_000);
      const theirs = await attacker.has("", "Secret", "theirs");
      assert.equal(theirs.metadata.ownerReferences, undefined);
    });

    it("a tenant claims the Cluster of another provider, whose authority would sign for it", async () => {
      const cluster = next();
      await supplyAuthority(cluster);
      const kubeadm = { apiGroup: "controlplane.cluster.x-k8s.io", kind: "KubeadmControlPlane" };
      const owner = await plane.admin.resource<KubeObject>(coreClusters).create({
        apiVersion: "cluster.x-k8s.io/v1beta2",
        kind: "Cluster",
        metadata: { namespace: attacker.namespace, name: cluster },
        spec: {
          controlPlaneRef: { ...kubeadm, name: cluster },
          infrastructureRef: {
            apiGroup: "infrastructure.cluster.x-k8s.io",
            kind: "VSphereCluster",
            name: cluster,
          },
        },
      });
      const { name = "", uid = "" } = owner.metadata;
      const ownerReferences = [{ apiVersion: owner.apiVersion, kind: owner.kind, name, uid }];
      const spec = { version: "v1.34.4" };
      await attacker.create(resources.controlPlanes, cluster, spec, { ownerReferences });
      const condition = { type: "Ready", reason: "WaitingForOwner" };
      await attacker.hears(resources.controlPlanes, cluster, condition);
      await signsNothing(cluster);
    });

    it("a tenant names a Cluster after the authority of somebody else", async () => {
      const cluster = next();
      await supplyAuthority(cluster);
      await attacker.make(cluster);
      const condition = { type: "CertificatesAvailable", reason: "SecretNotLabelled" };
      await attacker.hears(resources.controlPlanes, cluster, condition);
      await signsNothing(cluster);
    });

    it("a tenant has the manager overwrite a kubeconfig of somebody else", async () => {
      const cluster = next();
      const value = Buffer.from("theirs").toString("base64");
      await plane.admin.resource<KubeObject & { data: object }>(secrets).create({
        apiVersion: "v1",
        kind: "Secret",
        data: { value },
        metadata: { namespace: attacker.namespace, name: `${cluster}-kubeconfig` },
      });
      await attacker.make(cluster);
      const condition = { type: "KubeconfigAvailable", reason: "KubeconfigInvalid" };
      await attacker.hears(resources.controlPlanes, cluster, condition);
      const left = await attacker.has<KubeObject & { data?: { value?: string } }>(
        ...(["", "Secret", `${cluster}-kubeconfig`] as const),
      );
      assert.equal(left.data?.value, value);
    });

    it("a tenant takes the volume of somebody else for its etcd by the name of a Cluster", async () => {
      const cluster = next();
      const theirs = {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        metadata: { namespace: attacker.namespace, name: `data-${cluster}-etcd-0` },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      };
      await (await plane.admin.kind<KubeObject>(theirs)).create(theirs);
      await attacker.make(cluster);
      const condition = { type: "UpToDate", reason: "ObjectTaken" };
      await attacker.hears(resources.etcd, cluster, condition);
      const made = await attacker.list("apps", "StatefulSet");
      assert.ok(!made.some(({ metadata }) => metadata.name === `${cluster}-etcd`));
    });

    it("a tenant gives the Cluster of somebody else a control plane", async () => {
      const cluster = next();
      const owner = await plane.admin.resource<KubeObject>(coreClusters).create({
        apiVersion: "cluster.x-k8s.io/v1beta2",
        kind: "Cluster",
        metadata: { namespace: attacker.namespace, name: cluster },
        spec: {
          infrastructureRef: {
            apiGroup: "infrastructure.cluster.x-k8s.io",
            kind: "VSphereCluster",
            name: cluster,
          },
        },
      });
      const { name = "", uid = "" } = owner.metadata;
      const ownerReferences = [{ apiVersion: owner.apiVersion, kind: owner.kind, name, uid }];
      const apiVersion = "controlplane.cluster.x-k8s.io/v1alpha4";
      const controlPlaneRef = { apiVersion, kind: "NestedControlPlane", name: "mine" };
      const spec = { controlPlaneRef };
      await attacker.create(resources.clusters, cluster, spec, { ownerReferences });
      const condition = { type: "Ready", reason: "WaitingForOwner" };
      await attacker.hears(resources.clusters, cluster, condition);
      await delay(1_500);
      const key = { namespace: attacker.namespace, name: cluster };
      const { spec: after } = await plane.admin
        .resource<KubeObject<{ readonly controlPlaneRef?: object }>>(coreClusters)
        .get(key);
      assert.equal(after?.controlPlaneRef, undefined);
    });

    /** As an issuer of certificates keeps it. */
    async function supplyAuthority(cluster: string): Promise<void> {
      const { certificate, key } = await createCertificateAuthority({ commonName: "theirs" });
      await plane.admin.resource<KubeObject & { stringData: object }>(secrets).create({
        apiVersion: "v1",
        kind: "Secret",
        type: "kubernetes.io/tls",
        metadata: { namespace: attacker.namespace, name: `${cluster}-ca` },
        stringData: { "tls.crt": certificate, "tls.key": key },
      } as KubeObject & { stringData: object });
    }

    async function signsNothing(cluster: string): Promise<void> {
      // What the manager knew at first may have been old.
      await delay(1_500);
      const names = (await attacker.list("", "Secret")).map(({ metadata }) => metadata.name ?? "");
      const signed = names.filter(
        (name) => name.startsWith(`${cluster}-`) && name.endsWith("-cert"),
      );
      assert.deepEqual(signed, []);
    }
  });

  it("a tenant tells the manager of an etcd of its choice by a status", async () => {
    const key = { namespace: attacker.namespace, name: "a0" };
    const status = { etcd: { addresses: [{ hostname: "honest-etcd-0", port: 2379 }] } };
    const write = attacker.client
      .resource(resources.controlPlanes)
      .status.patch(key, { type: "merge", patch: { status } });
    await assert.rejects(write, isForbidden);
  });

  it("a tenant writes into the namespace of another one", async () => {
    const key = { namespace: honest.namespace, name: "honest" };
    const patch = { spec: { replicas: 0 } };
    const write = attacker.client
      .resource(resources.apiserver)
      .patch(key, { type: "merge", patch });
    await assert.rejects(write, isForbidden);
  });

  it("meanwhile the neighbour has all that it asked for", async () => {
    await honest.has("apps", "StatefulSet", "honest-etcd");
    await honest.has("apps", "Deployment", "honest-apiserver");
    await honest.make("later");
    await honest.has("apps", "StatefulSet", "later-etcd");
  });
});
