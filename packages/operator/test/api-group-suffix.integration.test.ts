import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { getCondition, type KubeObject } from "@rookery/kube";
import { type Administrator, OperatorCluster } from "./running-operator.ts";
import { smallProvider } from "./small-provider.ts";

const kind = "InfrastructureProvider";
const core = { namespace: "core-system", name: "cluster-api" };
const shared = { namespace: "nests-system", name: "nests" };
const team = { namespace: "team1-nests", name: "nests" };

type Deployment = KubeObject<{
  template: { spec: { initContainers?: { name: string; image: string }[] } };
}>;

describe("one provider, twice: the second under API groups of its own", () => {
  let cluster: OperatorCluster;
  let admin: Administrator;

  before(async () => {
    cluster = await OperatorCluster.start({ image: "example.com/rookery:v1" });
    ({ admin } = cluster);
    const version = "v1.0.0";
    const components = smallProvider({ name: "nests", certified: true });
    const forCore = smallProvider({ name: "core" });
    await admin.install("CoreProvider", core, { name: core.name, version, components: forCore });
    await admin.install(kind, shared, { name: shared.name, version, components });
    await admin.makeNamespace(team.namespace);
    await admin.offer(team.namespace, { name: team.name, version, components });
  });
  after(() => cluster[Symbol.asyncDispose]());

  it("without a suffix the second one is refused", async () => {
    await admin.create(kind, team, { version: "v1.0.0" });
    await admin.conditionIs(kind, team, ["PreflightCheckPassed", "SecondInstance"]);
  });

  it("with one it is installed beside the first, with the proxy", async () => {
    await admin.change(kind, team, { apiGroupSuffix: "team1.example.org" });
    await admin.conditionIs(kind, team, ["Ready", "Ready"]);
    const crd = { group: "apiextensions.k8s.io", kind: "CustomResourceDefinition" };
    for (const group of ["nests.example.com", "nests.team1.example.org"]) {
      assert.ok(await admin.find(crd, { name: `nests.${group}` }), group);
    }
    const role = { group: "rbac.authorization.k8s.io", kind: "ClusterRole" };
    assert.ok(await admin.find(role, { name: "nests-manager-team1-example-org" }));
    const type = { group: "apps", kind: "Deployment" };
    const manager = { namespace: team.namespace, name: "nests-manager" };
    const found = await admin.find<Deployment>(type, manager);
    const images = found?.spec?.template.spec.initContainers?.map(({ image }) => image);
    assert.deepEqual(images, ["example.com/rookery:v1"]);
    const first = await admin.get(kind, shared);
    assert.equal(getCondition(first.status?.conditions, "Ready")?.status, "True");
  });

  it("it goes alone, and leaves the first as it is", async () => {
    await admin.change(kind, team, { deletionPolicy: { customResourceDefinitions: "Delete" } });
    await admin.remove(kind, team);
    await admin.isGone(kind, team);
    const names = await cluster.kubernetes.kubectl([
      ...["get", "crds,clusterroles,clusterrolebindings,validatingwebhookconfigurations"],
      ...["-l", "clusterctl.cluster.x-k8s.io", "-o", "name"],
    ]);
    assert.doesNotMatch(names, /team1/);
    assert.match(names, /nests\.nests\.example\.com/);
    await admin.conditionIs(kind, shared, ["Ready", "Ready"]);
  });
});
