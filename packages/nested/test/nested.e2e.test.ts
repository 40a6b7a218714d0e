import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { NestedEtcd } from "@rookery/api";
import type { Client } from "@rookery/client";
import { type KubernetesNode, killProgram, waitFor, whyUnavailable } from "@rookery/testing";
import { managementUnavailable } from "./management.ts";
import { nestedImages, newer, older } from "./nested-images.ts";
import { NestedNode } from "./nested-node.ts";
import { withPodStory } from "./pod-story.ts";
import { resources, type Tenant } from "./tenant.ts";
import { clusterWide, nest } from "./tenant-objects.ts";

const skip = (await managementUnavailable()) || (await whyUnavailable(nestedImages));
const minutes = (count: number) => count * 60_000;
const isRefusal = (error: unknown) => /Forbidden/.test(String(error));

describe("a nested control plane in pods, driven by Cluster API's core in a pod", { skip }, () => {
  let world: NestedNode;
  let node: KubernetesNode;
  let client: Client;
  let tenant: Tenant;

  before(async () => {
    world = await NestedNode.start();
    ({ node, client } = world);
    tenant = world.tenant("tenant");
  });
  after(() => world?.[Symbol.asyncDispose]());

  /** An API server that is replaced may be led to for a moment longer than it serves. */
  const says = (args: readonly string[], wanted: RegExp) => {
    let last = "";
    return waitFor(
      async () => {
        last = await tenant.kubectl(args);
        return wanted.test(last);
      },
      { what: `the tenant to say ${wanted}`, detail: () => last, timeout: minutes(3) },
    );
  };
  const keepsItsColor = () =>
    says(["get", "nest", "first", "--output=jsonpath={.color}"], /^blue$/);
  const hasMembers = (count: number) => {
    let last: NestedEtcd["status"];
    const waiting = waitFor(
      async () => {
        const { status, metadata } = await tenant.get<NestedEtcd>(resources.etcd);
        last = status;
        const isNow = status?.observedGeneration === metadata.generation;
        return isNow && status?.ready && status.readyReplicas === count;
      },
      {
        what: `${count} members of etcd`,
        timeout: minutes(5),
        interval: 500,
        detail: () => JSON.stringify(last),
      },
    );
    return withPodStory(waiting, { kubernetes: node, namespace: "team" });
  };

  const member = async (ordinal: number) => {
    const args = ["get", `pod/tenant-etcd-${ordinal}`, "-n=team", "--output=json"];
    const { metadata, status } = JSON.parse(await node.kubectl(args));
    const [container] = status.containerStatuses ?? [];
    const { ready = false, restartCount: restarts = 0 } = container ?? {};
    return { uid: metadata.uid as string, ready: ready as boolean, restarts: restarts as number };
  };

  it("comes up, and is the tenant's own", async (context) => {
    const started = performance.now();
    await tenant.create({
      components: { apiserver: { version: older }, controllerManager: { version: older } },
    });
    await tenant.isUp();
    context.diagnostic(`ready after ${((performance.now() - started) / 1000).toFixed(1)} s`);
    await tenant.apply(...clusterWide);
    await waitFor(() => tenant.apply(nest), { what: "the tenant's kind to be served" });
    await keepsItsColor();
  });

  it("gives people a kubeconfig of their own, whose rights are the tenant's to take away", async () => {
    await tenant.kubectlAsPerson(["get", "nests"]);
    await tenant.kubectlAsPerson(["delete", "clusterrolebinding/nested:cluster-admins"]);
    const isRefused = () => tenant.kubectlAsPerson(["get", "nests"]).then(() => false, isRefusal);
    await waitFor(isRefused, { what: "people to have no rights", timeout: minutes(1) });
    await keepsItsColor();
    const { metadata } = await tenant.secret("user-kubeconfig");
    await node.kubectl(["delete", `secret/${metadata.name}`, "-n=team"]);
    await waitFor(() => tenant.secret("user-kubeconfig").catch(() => false), {
      what: "another kubeconfig",
    });
    assert.ok(await isRefused(), "another kubeconfig is no other will of the tenant");
    await tenant.isUp();
  });

  it("refuses what the administrator does not allow, and goes on", async () => {
    const { namespace } = tenant;
    const root = { volumes: [{ name: "root", hostPath: { path: "/" } }] };
    const patch = { apiVersion: "apps/v1", kind: "Deployment", spec: { template: { spec: root } } };
    await assert.rejects(
      tenant.change(resources.apiserver, { patches: [patch] }),
      /spec\.patches\[0\]: Forbidden: .*--allowed-patches=Deployment:spec\.template\.spec\.volumes/,
    );
    const labels = await node.kubectl([
      "get",
      `namespace/${namespace}`,
      "-o=jsonpath={.metadata.labels}",
    ]);
    assert.match(labels, /"pod-security.kubernetes.io\/enforce":"restricted"/);
    await tenant.isUpToDate("apiserver");
  });

  it("has a light one beside it, which is one pod and as much the tenant's own", async () => {
    const light = world.tenant("light");
    const apiserver = { profile: "light", storage: { type: "EmptyDir" } };
    await light.create({ components: { apiserver } });
    await light.isUp();
    for (const component of ["etcd", "controllerManager"] as const) {
      await light.componentIs(component, { type: "Ready", reason: "NotApplicable" });
    }
    const pods = await node.kubectl(["get", "pods", "-n=team", "-o=name"]);
    assert.equal(pods.match(/^pod\/light-/gm)?.length, 1, pods);
    await light.apply(...clusterWide);
    await waitFor(() => light.apply(nest), { what: "the light tenant's kind to be served" });
    const color = await light.kubectl(["get", "nest", "first", "--output=jsonpath={.color}"]);
    assert.equal(color, "blue");
    assert.match(await light.kubectlAsPerson(["auth", "can-i", "*", "*"]), /^yes/);
    await light.remove();
  });

  it("has its etcd back with its data when that is killed", async () => {
    const { uid } = await member(0);
    assert.equal(killProgram(uid, "etcd"), 1);
    await waitFor(async () => (await member(0)).restarts > 0, {
      what: "the member to be started again",
      timeout: minutes(3),
    });
    await keepsItsColor();
    await tenant.isUp();
  });

  it("gets what a ClusterResourceSet brings", async () => {
    const labels = { addons: "yes" };
    const patch = { type: "merge", patch: { metadata: { labels } } } as const;
    const core = { group: "cluster.x-k8s.io", version: "v1beta2", kind: "Cluster" };
    const clusters = { ...core, plural: "clusters", singular: "cluster", namespaced: true };
    await client.resource(clusters).patch({ namespace: "team", name: "tenant" }, patch);
    const addon = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "addon", namespace: "kube-public" },
      data: { brought: "by the ClusterResourceSet" },
    };
    await world.apply(
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "addon", namespace: "team" },
        data: { "addon.json": JSON.stringify(addon) },
      },
      {
        apiVersion: "addons.cluster.x-k8s.io/v1beta2",
        kind: "ClusterResourceSet",
        metadata: { name: "addons", namespace: "team" },
        spec: {
          clusterSelector: { matchLabels: labels },
          resources: [{ kind: "ConfigMap", name: "addon" }],
          strategy: "ApplyOnce",
        },
      },
    );
    await waitFor(
      async () =>
        /brought/.test(
          await tenant.kubectl(["get", "configmap/addon", "-n=kube-public", "-o=yaml"]),
        ),
      { what: "the add-on", timeout: minutes(3) },
    );
    await node.kubectl(["delete", "clusterresourceset/addons", "configmap/addon", "-n=team"]);
  });

  it("is upgraded from 1.33 to 1.34 and gets three members of etcd, all in one go", async () => {
    await tenant.change(resources.controllerManager, { version: newer });
    await tenant.change(resources.etcd, { replicas: 3 });
    await tenant.change(resources.apiserver, { version: newer });
    await hasMembers(3);
    await tenant.isUpToDate("apiserver");
    await tenant.isUpToDate("controllerManager");
    await tenant.isUp();
    await says(["version"], new RegExp(`Server Version: ${newer}`));
    await keepsItsColor();
  });

  it("goes on when one of three members is lost with its volume", async () => {
    const lost = await member(1);
    const claim = "persistentvolumeclaim/data-tenant-etcd-1";
    await node.kubectl(["delete", claim, "-n=team", "--wait=false"]);
    await node.kubectl(["delete", "pod/tenant-etcd-1", "-n=team", "--wait=false"]);
    const waiting = waitFor(
      async () => {
        const { uid, ready } = await member(1);
        return uid !== lost.uid && ready;
      },
      { what: "another member in its place", timeout: minutes(5) },
    );
    await withPodStory(waiting, { kubernetes: node, namespace: "team" });
    await hasMembers(3);
    await keepsItsColor();
  });

  it("leaves nothing when it is deleted", async () => {
    await tenant.remove();
    const kinds = [
      "pods,services,endpointslices,configmaps,secrets,persistentvolumeclaims",
      "statefulsets,deployments,replicasets,controllerrevisions,poddisruptionbudgets",
      ...Object.values(resources).map(({ plural, group }) => `${plural}.${group}`),
    ].join();
    let left: string[] = [];
    await waitFor(
      async () => {
        const printed = await node.kubectl([
          "get",
          kinds,
          "-n=team",
          "-o=name",
          "--ignore-not-found",
        ]);
        left = printed.split("\n").filter((name) => name && name !== "configmap/kube-root-ca.crt");
        return left.length === 0;
      },
      { what: "the namespace to be empty", timeout: minutes(3), detail: () => left.join("\n") },
    );
  });
});
