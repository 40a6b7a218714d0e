import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { KubeObject } from "@rookery/kube";
import { waitFor } from "@rookery/testing";
import { type Administrator, OperatorCluster } from "./running-operator.ts";
import { smallProvider } from "./small-provider.ts";

const namespace = "nests-system";
const core = { namespace, name: "cluster-api" };
const kind = "CoreProvider";
const deployment = { group: "apps", kind: "Deployment" };
const manager = { namespace, name: "core-manager" };
const clusterRole = { group: "rbac.authorization.k8s.io", kind: "ClusterRole" };

type Deployment = KubeObject<{
  template: {
    metadata: { annotations?: Record<string, string> };
    spec: { containers: { image: string }[] };
  };
}>;

describe("what others change is corrected to what was installed", () => {
  let cluster: OperatorCluster;
  let admin: Administrator;

  before(async () => {
    cluster = await OperatorCluster.start();
    ({ admin } = cluster);
    const components = smallProvider({ name: "core", args: ["--token=$" + "{TOKEN}"] });
    await admin.makeNamespace(namespace);
    await admin.makeSecret(namespace, "variables", { TOKEN: "first" });
    await admin.offer(namespace, { name: core.name, version: "v1.0.0", components });
    await admin.create(kind, core, { version: "v1.0.0", secretName: "variables" });
    await admin.conditionIs(kind, core, ["Ready", "Ready"]);
  });
  after(() => cluster[Symbol.asyncDispose]());

  it("a field that somebody changed by hand is as it was, with the Secret as it was", async () => {
    await admin.makeSecret(namespace, "variables", { TOKEN: "second" });
    const args = await cluster.kubernetes.kubectl([
      ...["set", "image", "-n", namespace, "deployment/core-manager", "manager=example.com/evil"],
    ]);
    assert.match(args, /image updated/);
    await waitFor(
      async () => {
        const found = await admin.find<Deployment>(deployment, manager);
        const text = JSON.stringify(found?.spec);
        return !text.includes("evil") && text.includes("--token=first");
      },
      { what: "the image to be as it was" },
    );
  });

  it("a component that somebody deleted is there again", async () => {
    const before = await admin.find(clusterRole, { name: "core-manager" });
    await cluster.kubernetes.kubectl(["delete", "clusterrole", "core-manager"]);
    await waitFor(
      async () => {
        const found = await admin.find(clusterRole, { name: "core-manager" });
        return found !== undefined && found.metadata.uid !== before?.metadata.uid;
      },
      { what: "the ClusterRole to be there again" },
    );
  });

  it("a CustomResourceDefinition whose schema was cut down is whole again", async () => {
    const patch = '[{"op":"remove","path":"/metadata/labels/cluster.x-k8s.io~1v1beta2"}]';
    const crd = "nests.core.example.com";
    await cluster.kubernetes.kubectl(["patch", "crd", crd, "--type=json", "-p", patch]);
    await waitFor(
      async () => {
        const type = { group: "apiextensions.k8s.io", kind: "CustomResourceDefinition" };
        const found = await admin.find(type, { name: crd });
        return found?.metadata.labels?.["cluster.x-k8s.io/v1beta2"] === "v1";
      },
      { what: "the label to be there again" },
    );
  });

  for (const label of ["cluster.x-k8s.io/provider", "clusterctl.cluster.x-k8s.io"]) {
    it(`the label ${label} that somebody took off is on again`, async () => {
      for (const [resource, type] of [
        ["deployment", { group: "apps", kind: "Deployment" }],
        ["clusterrole", clusterRole],
      ] as const) {
        const place = resource === "deployment" ? ["-n", namespace] : [];
        await cluster.kubernetes.kubectl([
          "label",
          resource,
          "core-manager",
          ...place,
          `${label}-`,
        ]);
        await waitFor(
          async () => {
            const key = { name: "core-manager", ...(place.length > 0 && { namespace }) };
            const found = await admin.find(type, key);
            return found?.metadata.labels !== undefined && label in found.metadata.labels;
          },
          { what: `the label of the ${resource} to be there again`, timeout: 20_000 },
        );
      }
    });
  }

  it("what somebody adds beside is left alone", async () => {
    await cluster.kubernetes.kubectl([
      ...["rollout", "restart", "-n", namespace, "deployment/core-manager"],
    ]);
    await admin.conditionIs(kind, core, ["Ready", "Ready"]);
    const found = await admin.find<Deployment>(deployment, manager);
    const { annotations = {} } = found?.spec?.template.metadata ?? {};
    assert.ok("kubectl.kubernetes.io/restartedAt" in annotations);
  });
});
