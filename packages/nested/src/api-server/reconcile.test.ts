import assert from "node:assert/strict";
import { createHash, X509Certificate } from "node:crypto";
import { describe, it, test } from "node:test";
import type { NestedAPIServer, NestedControllerManager, NestedControlPlane } from "@rookery/api";
import { formatTime, getCondition, type KubeObject } from "@rookery/kube";
import { createCertificateAuthority } from "@rookery/pki";
import { requeueAfter } from "@rookery/runtime";
import {
  ApiServerScene,
  apiServer,
  etcd,
  finalizer,
  service,
} from "../../test/api-server/api-server-scene.ts";
import { cluster, namespace } from "../../test/component/component-world.ts";
import type { Deployment, Pod, Service } from "../manifests/kinds.ts";
import { selectorLabels } from "../names.ts";
import { noAllowances } from "../policy/allowances.ts";

test("without a control plane nothing is made, and it says what it waits for", async () => {
  const scene = new ApiServerScene();
  const { ownerReferences: _, ...metadata } = apiServer().metadata;
  scene.world.put({ ...apiServer(), metadata });
  await scene.reconcile();
  assert.equal(scene.reason("Ready"), "False WaitingForControlPlane");
  assert.deepEqual(scene.world.writes, ["status NestedAPIServer/blue"]);
});

test("the finalizer and the name of the Cluster are written before anything is made", async () => {
  const scene = new ApiServerScene();
  const { finalizers: _, labels: __, ...metadata } = apiServer().metadata;
  scene.world.put({ ...apiServer(), metadata });
  await scene.reconcile();
  assert.equal(scene.world.writes[0], "commit NestedAPIServer/blue");
  assert.ok(scene.world.writes.length > 1, "what is made comes at once");
  assert.deepEqual(scene.now.metadata.finalizers, [finalizer]);
  assert.equal(scene.now.metadata.labels?.["cluster.x-k8s.io/cluster-name"], cluster);
});

test("while the Cluster is paused nothing is done", async () => {
  const scene = new ApiServerScene();
  scene.world.owner = { ...scene.world.owner, spec: { paused: true } };
  await scene.reconcile();
  assert.equal(scene.reason("Paused"), "True Paused");
  assert.deepEqual(scene.world.writes, ["status NestedAPIServer/blue"]);
});

test("the endpoint is known before there are certificates, and is the control plane's too", async () => {
  const scene = new ApiServerScene();
  for (const [key, { kind }] of scene.world.objects) {
    if (kind === "Secret") scene.world.objects.delete(key);
  }
  await scene.address();
  assert.equal(scene.reason("Ready"), "False WaitingForCertificates");
  assert.equal(scene.reason("EndpointAvailable"), "True Available");
  const endpoint = { host: "10.0.0.9", port: 6443 };
  assert.deepEqual(scene.now.status?.endpoint, endpoint);
  const plane = scene.world.get<NestedControlPlane>("NestedControlPlane", cluster);
  assert.deepEqual(plane.spec.controlPlaneEndpoint, endpoint);
});

test("it comes up, and then nothing is written any more", async () => {
  const scene = new ApiServerScene();
  await scene.ready();
  assert.equal(scene.reason("Ready"), "True Ready");
  assert.equal(scene.reason("UpToDate"), "True UpToDate");
  assert.equal(scene.now.status?.version, "v1.33.13");
  assert.equal(scene.now.status?.phase, "Running");
  await scene.reconcile();
  scene.world.writes.length = 0;
  await scene.reconcile();
  assert.deepEqual(scene.world.writes, []);
});

test("whoever asks the tenant hears that it serves as soon as a pod is ready", async () => {
  const scene = new ApiServerScene();
  await scene.address();
  assert.deepEqual(scene.served, []);
  scene.world.rolledOut("blue-apiserver", "complete");
  await scene.reconcile();
  assert.deepEqual(scene.served, [cluster]);
});

test("what somebody changes is changed back", async () => {
  const scene = new ApiServerScene();
  await scene.ready();
  scene.world.put({
    ...scene.deployment,
    spec: { ...scene.deployment.spec, replicas: 7 },
  } as Deployment);
  scene.world.writes.length = 0;
  await scene.reconcile();
  assert.equal(scene.world.writes[0], "apply Deployment/blue-apiserver");
  assert.equal(scene.deployment.spec?.replicas, 1);
});

test("an endpoint that changes is changed everywhere", async () => {
  const scene = new ApiServerScene();
  scene.world.allowances = { ...noAllowances, hosts: ["*.example"] };
  await scene.ready();
  scene.change({ service: { ...service, host: "api.example" } });
  await scene.reconcile();
  const plane = scene.world.get<NestedControlPlane>("NestedControlPlane", cluster);
  assert.deepEqual(plane.spec.controlPlaneEndpoint, { host: "api.example", port: 6443 });
});

const crashing = (name: string, message: string) =>
  ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace, labels: selectorLabels(cluster, "apiserver") },
    status: {
      containerStatuses: [
        { name: "apiserver", lastState: { terminated: { exitCode: 1, message } } },
      ],
    },
  }) as Pod;

describe("an API server that was deleted and is created anew", () => {
  const endpoint = { host: "10.0.0.9", port: 6443 };
  const sceneAfter = (spec: Partial<NestedAPIServer["spec"]> = {}) => {
    const scene = new ApiServerScene(spec);
    const status = { etcd: { addresses: [] }, apiserver: { endpoint } };
    scene.world.controlPlane({ status });
    return scene;
  };
  const made = (scene: ApiServerScene) => scene.world.get<Service>("Service", "blue-apiserver");

  it("has its address again", async () => {
    const scene = sceneAfter();
    await scene.reconcile();
    assert.equal(made(scene).spec?.clusterIP, "10.0.0.9");
    assert.deepEqual(scene.now.status?.endpoint, endpoint);
  });

  it("has another address where somebody else has its own, and an event says so", async () => {
    const scene = sceneAfter();
    scene.world.refuses = (object) => (object as Service).spec?.clusterIP === "10.0.0.9";
    await scene.address({ spec: { clusterIP: "10.0.0.10" } });
    assert.equal(scene.now.status?.endpoint?.host, "10.0.0.10");
    assert.equal(scene.world.events[0]?.reason, "AddressLost");
  });

  it("has no address of its own where its Service is of another type", async () => {
    const scene = sceneAfter({ service: { type: "LoadBalancer", port: 6443 } });
    await scene.reconcile();
    assert.equal(made(scene).spec?.clusterIP, undefined);
  });
});

test("a new API server starts beside its etcd", async () => {
  const scene = new ApiServerScene();
  scene.siblings = { ...scene.siblings, etcd: etcd("3.6.8", "3.6.7") };
  await scene.reconcile();
  assert.match(scene.image ?? "", /v1\.33\.13$/);
});

describe("before a kubelet has said that a pod is ready", () => {
  const address = "10.0.0.20";
  const pod = (scene: ApiServerScene, change: object = {}) => {
    const labels = scene.deployment.spec?.template.metadata.labels;
    const creationTimestamp = formatTime(new Date(scene.world.now.getTime() - 10_000));
    const metadata = { name: "blue-apiserver-1", namespace, labels, creationTimestamp, ...change };
    scene.world.put({ apiVersion: "v1", kind: "Pod", metadata, status: { podIP: address } } as Pod);
  };

  it("a new API server is asked itself, and is ready when it says so", async () => {
    const scene = new ApiServerScene();
    await scene.address();
    pod(scene);
    const { kind, ...rest } = await scene.reconcile();
    assert.deepEqual({ kind, ...rest }, requeueAfter(0.5), "it is asked again soon");
    assert.equal(scene.reason("Ready"), "False WaitingForPods");
    scene.answering.add(address);
    assert.equal((await scene.reconcile()).kind, "done");
    assert.equal(scene.reason("Ready"), "True Ready");
    assert.equal(scene.reason("UpToDate"), "False RollingOut");
    assert.equal(scene.now.status?.version, undefined);
  });

  it("a pod that is about to go is not asked", async () => {
    const scene = new ApiServerScene();
    await scene.address();
    pod(scene, { deletionTimestamp: formatTime(scene.world.now) });
    scene.answering.add(address);
    await scene.reconcile();
    assert.equal(scene.reason("Ready"), "False WaitingForPods");
  });

  it("one that was ready before is taken at the word of its kubelet", async () => {
    const scene = new ApiServerScene();
    await scene.ready();
    pod(scene);
    scene.answering.add(address);
    scene.world.put({
      ...scene.deployment,
      status: { replicas: 1, readyReplicas: 0 },
    } as Deployment);
    assert.equal((await scene.reconcile()).kind, "done");
    assert.equal(scene.reason("Ready"), "False WaitingForPods");
  });
});

describe("a version", () => {
  it("waits for etcd, and what runs goes on", async () => {
    const scene = new ApiServerScene();
    await scene.ready();
    scene.siblings = { ...scene.siblings, etcd: etcd("3.6.9", "3.6.8") };
    scene.change({ version: "v1.34.4" });
    await scene.reconcile();
    assert.equal(scene.reason("UpToDate"), "False WaitingForEtcd");
    assert.equal(scene.reason("Ready"), "True Ready");
    assert.match(scene.image ?? "", /v1\.33\.13$/);
  });

  it("that skips a minor is held, and what runs goes on", async () => {
    const scene = new ApiServerScene();
    await scene.ready();
    scene.change({ version: "v1.35.4" });
    await scene.reconcile();
    assert.equal(scene.reason("UpToDate"), "False VersionSkew");
    assert.match(scene.image ?? "", /v1\.33\.13$/);
  });

  it("is held while the controller manager would be too old for it", async () => {
    const scene = new ApiServerScene();
    await scene.ready();
    const status = { version: "v1.32.13", ready: true };
    const controllerManager = { kind: "NestedControllerManager", metadata: {}, spec: {}, status };
    scene.siblings = {
      ...scene.siblings,
      controllerManager: controllerManager as NestedControllerManager,
    };
    scene.change({ version: "v1.34.4" });
    await scene.reconcile();
    assert.equal(scene.reason("UpToDate"), "False VersionSkew");
  });

  it("that becomes ready is the one that would be gone back to", async () => {
    const scene = new ApiServerScene();
    await scene.ready();
    scene.change({ version: "v1.34.4" });
    await scene.reconcile();
    assert.equal(scene.reason("UpToDate"), "False RollingOut");
    assert.equal(scene.now.status?.version, "v1.33.13");
    scene.world.rolledOut("blue-apiserver", "complete");
    await scene.reconcile();
    assert.equal(scene.now.status?.version, "v1.34.4");
    const lastGood = scene.deployment.metadata.annotations?.["nested.rookery.dev/last-good"];
    assert.equal(JSON.parse(lastGood ?? "{}").version, "v1.34.4");
  });

  it("that never becomes ready is taken back, and written down before", async () => {
    const scene = new ApiServerScene();
    await scene.ready();
    scene.change({ version: "v1.34.4" });
    await scene.reconcile();
    scene.world.rolledOut("blue-apiserver", "stalled");
    scene.world.put(crashing("blue-apiserver-0", "unknown flag: --no-such-flag"));
    scene.world.writes.length = 0;
    await scene.reconcile();
    const [first, second] = scene.world.writes;
    assert.deepEqual(
      [first, second],
      ["status NestedAPIServer/blue", "apply Deployment/blue-apiserver"],
    );
    assert.equal(scene.reason("UpToDate"), "False RolledBack");
    assert.equal(scene.now.status?.phase, "Failed");
    assert.match(scene.image ?? "", /v1\.33\.13$/);
    const why = /exit code 1: unknown flag: --no-such-flag/;
    assert.match(scene.now.status?.failureMessage ?? "", why);
    assert.match(scene.world.events.at(-1)?.note ?? "", why);
    scene.world.objects.delete(`Pod/${namespace}/blue-apiserver-0`);
    await scene.reconcile();
    assert.match(scene.now.status?.failureMessage ?? "", why, "the pod is gone");
    assert.deepEqual(
      scene.world.events.map(({ reason }) => reason),
      ["RollingOut", "RolledBack"],
    );
  });

  it("that was taken back is not tried again before the spec changes", async () => {
    const scene = new ApiServerScene();
    await scene.ready();
    scene.change({ version: "v1.34.4" });
    await scene.reconcile();
    scene.world.rolledOut("blue-apiserver", "stalled");
    await scene.reconcile();
    scene.world.rolledOut("blue-apiserver", "complete");
    await scene.reconcile();
    assert.match(scene.image ?? "", /v1\.33\.13$/);
    assert.equal(scene.reason("UpToDate"), "False RolledBack");
    scene.change({ version: "v1.34.5" });
    await scene.reconcile();
    assert.match(scene.image ?? "", /v1\.34\.5$/);
    assert.equal(scene.now.status?.failedRevision, undefined);
    assert.equal(scene.now.status?.failureMessage, undefined);
    assert.equal(scene.now.status?.failedRevisionCause, undefined);
  });
});

test("the first version is not given up: there is nothing to go back to", async () => {
  const scene = new ApiServerScene();
  await scene.address();
  scene.world.rolledOut("blue-apiserver", "stalled");
  await scene.reconcile();
  assert.equal(scene.reason("UpToDate"), "False RollOutStalled");
  assert.equal(scene.now.status?.phase, "Failed");
});

describe("something stands in the way", () => {
  const rows: Record<string, [change: (scene: ApiServerScene) => void, reason: string]> = {
    "a channel that there is not": [
      (scene) => {
        const { version: _, ...spec } = scene.now.spec;
        scene.world.put({ ...scene.now, spec: { ...spec, channel: "nightly" } });
      },
      "UnknownChannel",
    ],
    "a patch that fits nothing": [
      (scene) => scene.change({ patches: [{ apiVersion: "v1", kind: "Pod" }] }),
      "PatchRefused",
    ],
    "a server that refuses": [
      (scene) => {
        scene.world.refuses = ({ kind }) => kind === "Deployment";
        scene.change({ extraArgs: [{ name: "event-ttl", value: "2h" }] });
      },
      "ApplyRefused",
    ],
    "a Deployment of somebody else": [
      (scene) => {
        const owner = { apiVersion: "v1", kind: "Thief", name: "t", uid: "t", controller: true };
        const { metadata } = scene.deployment;
        const stolen = { ...metadata, ownerReferences: [owner] };
        scene.world.put({ ...scene.deployment, metadata: stolen });
      },
      "ObjectTaken",
    ],
  };
  for (const [name, [change, reason]] of Object.entries(rows)) {
    it(`${name}: it says so, and what runs goes on`, async () => {
      const scene = new ApiServerScene();
      await scene.ready();
      change(scene);
      await scene.reconcile();
      assert.equal(scene.reason("UpToDate"), `False ${reason}`);
      assert.equal(scene.reason("Ready"), "True Ready");
    });
  }
});

describe("a spec that says what the administrator does not allow", () => {
  const image = "registry.example.com/kube-apiserver:own";

  it("makes nothing where nothing runs yet", async () => {
    const scene = new ApiServerScene({ image });
    await scene.reconcile();
    assert.equal(scene.reason("Ready"), "False NotAllowed");
    assert.deepEqual(scene.world.writes, ["status NestedAPIServer/blue"]);
  });

  it("leaves what runs as it is, names the flag, and keeps the endpoint", async () => {
    const scene = new ApiServerScene({ image });
    scene.world.allowances = { ...noAllowances, images: ["registry.example.com/kube-apiserver"] };
    await scene.ready();
    const before = JSON.stringify([scene.deployment, scene.now.status?.endpoint]);
    scene.world.allowances = noAllowances;
    scene.change({ version: "v1.34.4", replicas: 3 });
    await scene.reconcile();
    assert.equal(scene.reason("UpToDate"), "False NotAllowed");
    assert.equal(scene.reason("Ready"), "True Ready");
    assert.equal(scene.reason("EndpointAvailable"), "True Available");
    const { message = "" } = getCondition(scene.now.status?.conditions, "UpToDate") ?? {};
    assert.match(
      message,
      /^spec\.image: .*--allowed-images=registry\.example\.com\/kube-apiserver$/,
    );
    assert.equal(JSON.stringify([scene.deployment, scene.now.status?.endpoint]), before);
    assert.deepEqual(scene.world.writes, ["status NestedAPIServer/blue"]);
  });

  it("goes on once it is allowed, or gone", async () => {
    const scene = new ApiServerScene({ image });
    await scene.reconcile();
    const { image: _, ...spec } = scene.now.spec;
    scene.world.put({ ...scene.now, spec });
    await scene.ready();
    assert.equal(scene.reason("Ready"), "True Ready");
    assert.equal(scene.image, "registry.k8s.io/kube-apiserver:v1.33.13");
  });

  it("is not gone back to, either, when what is allowed fails", async () => {
    const scene = new ApiServerScene({ image });
    scene.world.allowances = { ...noAllowances, images: ["registry.example.com/kube-apiserver"] };
    await scene.ready();
    scene.world.allowances = noAllowances;
    const { image: _, ...spec } = scene.now.spec;
    scene.world.put({ ...scene.now, spec });
    await scene.reconcile();
    scene.world.rolledOut("blue-apiserver", "stalled");
    await scene.reconcile();
    assert.equal(scene.reason("UpToDate"), "False NotAllowed");
    assert.equal(scene.image, "registry.k8s.io/kube-apiserver:v1.33.13");
  });

  it("is refused by the standard, whatever patches are allowed", async () => {
    const hostPID = { spec: { template: { spec: { hostPID: true } } } };
    const scene = new ApiServerScene({
      patches: [{ apiVersion: "apps/v1", kind: "Deployment", ...hostPID }],
    });
    scene.world.allowances = { ...noAllowances, patches: ["Deployment:spec"] };
    await scene.address();
    assert.equal(scene.reason("Ready"), "False NotAllowed");
    const { message = "" } = getCondition(scene.now.status?.conditions, "Ready") ?? {};
    assert.match(message, /Pod Security Standard restricted: host namespaces \(hostPID=true\)/);
    assert.equal(scene.deployment, undefined);
  });
});

test("a Cluster that does not name the control plane does not count as its owner", async () => {
  const scene = new ApiServerScene();
  scene.world.isClaimed = true;
  await scene.reconcile();
  assert.equal(scene.reason("Ready"), "False WaitingForControlPlane");
  assert.deepEqual(scene.world.writes, ["status NestedAPIServer/blue"]);
});

test("a Service of type NodePort asks for the host that nodes have", async () => {
  const scene = new ApiServerScene({ service: { type: "NodePort", port: 6443 } });
  await scene.address();
  assert.equal(scene.reason("EndpointAvailable"), "False HostMissing");
});

test("new keys of service accounts make new pods, a new certificate does not", async () => {
  const scene = new ApiServerScene();
  await scene.ready();
  const template = () => JSON.stringify(scene.deployment.spec?.template);
  const before = template();
  const renew = (name: string) => {
    const secret = scene.world.get("Secret", name);
    scene.world.put({
      ...secret,
      data: { ...(secret as { data?: object }).data, "tls.crt": btoa("new") },
    } as never);
  };
  renew("blue-apiserver-serving-cert");
  await scene.reconcile();
  assert.equal(template(), before);
  renew("blue-sa");
  await scene.reconcile();
  assert.notEqual(template(), before);
});

describe("the profile light", () => {
  const light = { profile: "light", version: "v1.34.4" } as const;
  const container = (scene: ApiServerScene) => scene.deployment.spec?.template.spec.containers[0];

  it("runs Rookery with the tenant's certificates, and waits for no etcd", async () => {
    const scene = new ApiServerScene(light);
    scene.siblings = { ...scene.siblings, etcd: undefined };
    scene.world.controlPlane({});
    await scene.ready();
    assert.equal(scene.reason("Ready"), "True Ready");
    assert.equal(scene.reason("UpToDate"), "True UpToDate");
    assert.equal(scene.now.status?.profile, "light");
    assert.equal(scene.now.status?.version, "v1.34.4");
    assert.equal(scene.image, "rookery:test");
    const args = container(scene)?.args ?? [];
    assert.deepEqual(args.slice(0, 2), ["local", "serve"]);
    assert.ok(args.includes("--client-ca-file=/etc/kubernetes/pki/apiserver-serving/ca.crt"));
    assert.ok(args.includes("--service-cluster-ip-range=10.96.0.0/12"));
    assert.ok(!args.some((arg) => arg.includes("etcd")));
  });

  it("has a volume of its own, which one pod at a time uses", async () => {
    const scene = new ApiServerScene(light);
    await scene.ready();
    const claim = scene.world.get("PersistentVolumeClaim", "blue-apiserver");
    assert.deepEqual(claim.spec, {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Gi" } },
    });
    assert.deepEqual(scene.deployment.spec?.strategy, { type: "Recreate" });
    assert.equal(claim.metadata.ownerReferences?.[0]?.uid, "kas");
  });

  it("keeps its data with the pod where the spec says so", async () => {
    const scene = new ApiServerScene({ ...light, storage: { type: "EmptyDir", size: "1Gi" } });
    await scene.ready();
    assert.equal(scene.world.get("PersistentVolumeClaim", "blue-apiserver"), undefined);
    const { volumes = [] } = scene.deployment.spec?.template.spec ?? {};
    assert.deepEqual(volumes.at(-1), { name: "data", emptyDir: {} });
  });

  it("writes nothing any more once it is up", async () => {
    const scene = new ApiServerScene(light);
    await scene.ready();
    await scene.reconcile();
    scene.world.writes.length = 0;
    await scene.reconcile();
    assert.deepEqual(scene.world.writes, []);
  });

  it("comes in one version, and says which", async () => {
    const scene = new ApiServerScene({ ...light, version: "v1.33.13" });
    await scene.address();
    assert.equal(scene.reason("Ready"), "False VersionNotAvailable");
    assert.equal(scene.deployment, undefined);
    scene.change({ version: "v1.34.4" });
    await scene.ready();
    assert.equal(scene.reason("Ready"), "True Ready");
  });
});

describe("another authority", () => {
  const secret = "blue-apiserver-serving-cert";
  const pod = (name: string, podIP: string) =>
    ({
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        name,
        namespace,
        labels: {
          "cluster.x-k8s.io/cluster-name": cluster,
          "nested.rookery.dev/component": "apiserver",
        },
      },
      status: { podIP },
    }) as Pod;

  /** As the control plane writes it: an authority and a certificate of it, at once. */
  async function trust(scene: ApiServerScene, text: string): Promise<string> {
    const now = () => scene.world.now;
    const authority = await createCertificateAuthority({ commonName: text, now });
    const leaf = await authority.issue({ commonName: "a", dnsNames: ["a"], usages: ["server"] });
    const found = scene.world.get<KubeObject & { data?: object }>("Secret", secret);
    const data = { ...found.data, "tls.crt": btoa(leaf.certificate), "ca.crt": btoa(text) };
    scene.world.put({ ...found, data });
    return new X509Certificate(leaf.certificate).fingerprint256;
  }

  for (const profile of ["full", "light"] as const) {
    it(`is up to date once all pods of the profile ${profile} serve with what came with it`, async () => {
      const scene = new ApiServerScene({ profile, version: "v1.34.4" });
      const former = await trust(scene, "former");
      await scene.ready();
      assert.equal(scene.now.status?.authorities?.ca, sha256("former"));
      for (const [name, ip] of [
        ["one", "10.0.1.1"],
        ["two", "10.0.1.2"],
      ] as const) {
        scene.world.put(pod(name, ip));
        scene.shown.set(ip, former);
      }
      const both = await trust(scene, "former, new");
      assert.deepEqual(await scene.reconcile(), requeueAfter(2));
      assert.equal(scene.reason("Ready"), "True Ready");
      assert.equal(scene.reason("UpToDate"), "False ReadingCertificates");
      assert.equal(scene.now.status?.authorities?.ca, sha256("former"));
      scene.shown.set("10.0.1.1", both);
      await scene.reconcile();
      const { message = "" } = getCondition(scene.now.status?.conditions, "UpToDate") ?? {};
      assert.match(
        message,
        /^1 of 2 pods have not read the Secret blue-apiserver-serving-cert yet/,
      );
      scene.shown.set("10.0.1.2", both);
      await scene.reconcile();
      assert.equal(scene.reason("UpToDate"), "True UpToDate");
      assert.equal(scene.now.status?.authorities?.ca, sha256("former, new"));
    });
  }

  it("takes a pod that cannot be asked for one that has read it after some minutes", async () => {
    const scene = new ApiServerScene();
    await trust(scene, "former");
    await scene.ready();
    scene.world.put(pod("one", "10.0.1.1"));
    await trust(scene, "former, new");
    await scene.reconcile();
    assert.equal(scene.reason("UpToDate"), "False ReadingCertificates");
    scene.world.now = new Date(scene.world.now.getTime() + 4 * 60_000);
    await scene.reconcile();
    assert.equal(scene.reason("UpToDate"), "True UpToDate");
  });
});

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
