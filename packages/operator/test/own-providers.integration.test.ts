import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { configMapOf, type ProviderKind } from "@rookery/components";
import { builtInResources, type KubeObject } from "@rookery/kube";
import { type Administrator, OperatorCluster } from "./running-operator.ts";
import { smallProvider } from "./small-provider.ts";

const deploy = join(import.meta.dirname, "../../../deploy");
const core = { namespace: "core-system", name: "cluster-api" };
const version = "v0.3.0";

interface Row {
  readonly kind: ProviderKind;
  readonly file: string;
  readonly deployment: string;
}

const providers: Readonly<Record<string, Row>> = {
  vsphere: {
    kind: "InfrastructureProvider",
    file: "infrastructure-components.yaml",
    deployment: "capv-controller-manager",
  },
  concierge: {
    kind: "AddonProvider",
    file: "addon-components.yaml",
    deployment: "rookery-concierge",
  },
};

describe("what Rookery ships, installed by the operator as any other provider", () => {
  let cluster: OperatorCluster;
  let admin: Administrator;

  before(async () => {
    cluster = await OperatorCluster.start();
    ({ admin } = cluster);
    const components = smallProvider({ name: "core" });
    await admin.install("CoreProvider", core, { name: core.name, version, components });
  });
  after(() => cluster[Symbol.asyncDispose]());

  /** The release as its files are, in a ConfigMap. */
  async function offer(name: string, namespace: string, { file }: Row): Promise<void> {
    await admin.makeNamespace(namespace);
    const read = (each: string) => readFile(join(deploy, name, each), "utf8");
    const release = { components: await read(file), metadata: await read("metadata.yaml") };
    const meta = { name: `${name}-${version}`, namespace, labels: { provider: name } };
    const configMap = configMapOf(meta, { ...release, version });
    await admin.client.resource<KubeObject>(builtInResources.configMaps).create(configMap);
  }

  for (const [name, row] of Object.entries(providers)) {
    it(`the release of ${name}, in a namespace of the administrator's choice`, async () => {
      const key = { namespace: `team-${name}`, name };
      await offer(name, key.namespace, row);
      await admin.create(row.kind, key, { version });
      await admin.conditionIs(row.kind, key, ["Ready", "Ready"]);
      const type = { group: "apps", kind: "Deployment" };
      const deployment = { namespace: key.namespace, name: row.deployment };
      assert.ok(await admin.find(type, deployment), `${name} has no Deployment`);
      await admin.remove(row.kind, key);
      await admin.isGone(row.kind, key);
      assert.equal(await admin.find(type, deployment), undefined);
    });
  }
});
