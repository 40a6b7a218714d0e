import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { KubeObject } from "@rookery/kube";
import { waitFor } from "@rookery/testing";
import { type Administrator, OperatorCluster } from "./running-operator.ts";
import { smallProvider } from "./small-provider.ts";

const kind = "CoreProvider";
const core = { namespace: "nests-system", name: "cluster-api" };
const group = "core.example.com";

type Definition = KubeObject<object, { readonly storedVersions?: readonly string[] }>;

/** Releases of a provider whose kind goes from v1 to v2, the stored version last. */
const releases: Readonly<Record<string, readonly string[]>> = {
  "v1.0.0": ["v1"],
  "v1.1.0": ["v1", "v2"],
  "v1.2.0": ["v2"],
};

describe("objects of a provider's kinds over its upgrades", () => {
  let cluster: OperatorCluster;
  let admin: Administrator;

  before(async () => {
    cluster = await OperatorCluster.start();
    ({ admin } = cluster);
    await admin.makeNamespace(core.namespace);
    for (const [version, versions] of Object.entries(releases)) {
      const components = smallProvider({ name: "core", versions });
      await admin.offer(core.namespace, { name: core.name, version, components });
    }
    await admin.create(kind, core, { version: "v1.0.0" });
    await admin.conditionIs(kind, core, ["Ready", "Ready"]);
    // Discovery follows what is served.
    const nests = await waitFor(() => admin.client.kind<KubeObject>({ group, kind: "Nest" }), {
      what: "nests to be discovered",
    });
    for (const name of ["one", "two"]) {
      const metadata = { namespace: core.namespace, name };
      await nests.create({ apiVersion: `${group}/v1`, kind: "Nest", metadata, spec: { eggs: 2 } });
    }
  });
  after(() => cluster[Symbol.asyncDispose]());

  const upgrade = async (version: string) => {
    await admin.change(kind, core, { version });
    const { status } = await admin.conditionIs(kind, core, ["Ready", "Ready"]);
    assert.equal(status?.installedVersion, version);
  };
  const storedVersions = async () => {
    const type = { group: "apiextensions.k8s.io", kind: "CustomResourceDefinition" };
    const found = await admin.find<Definition>(type, { name: `nests.${group}` });
    return found?.status?.storedVersions;
  };

  it("are stored in the new version when an upgrade is done", async () => {
    assert.deepEqual(await storedVersions(), ["v1"]);
    await upgrade("v1.1.0");
    assert.deepEqual(await storedVersions(), ["v2"]);
  });

  it("can be read when the old version is gone", async () => {
    await upgrade("v1.2.0");
    const path = `/apis/${group}/v2/namespaces/${core.namespace}/nests`;
    // Right after a change of its versions the API server sets the storage of a kind up anew.
    const items = await waitFor(
      async () => (await cluster.kubernetes.request("GET", path)).body.items,
      { what: "nests to be listed" },
    );
    const eggs = (items as KubeObject<{ eggs: number }>[]).map(({ spec }) => spec?.eggs);
    assert.deepEqual(eggs, [2, 2]);
  });
});
