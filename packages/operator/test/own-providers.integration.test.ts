import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type Client, createClient, loadConfig } from "@rookery/client";
import { configMapOf, type ProviderKind } from "@rookery/components";
import { builtInResources, type KubeObject } from "@rookery/kube";
import { createIssuedCertificate, issuedSecretName } from "@rookery/runtime";
import { type Administrator, OperatorCluster } from "./running-operator.ts";
import { smallProvider } from "./small-provider.ts";

const deploy = join(import.meta.dirname, "../../../deploy");
const core = { namespace: "core-system", name: "cluster-api" };
const version = "v0.3.0";

interface Row {
  readonly kind: ProviderKind;
  readonly file: string;
  readonly deployment: string;
  /** That its webhooks, or its API, are called by. */
  readonly service: string;
}

const providers: Readonly<Record<string, Row>> = {
  vsphere: {
    kind: "InfrastructureProvider",
    file: "infrastructure-components.yaml",
    deployment: "capv-controller-manager",
    service: "capv-webhook-service",
  },
  concierge: {
    kind: "AddonProvider",
    file: "addon-components.yaml",
    deployment: "rookery-concierge",
    service: "rookery-concierge",
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

  const hasSecret = async (namespace: string, service: string) => {
    const key = { namespace, name: issuedSecretName(service) };
    return (await admin.find({ group: "", kind: "Secret" }, key)) !== undefined;
  };

  /** As the manager of a provider does, with its account and the rights that ship. */
  async function issueAs(name: string, namespace: string, service: string): Promise<void> {
    const { kubeconfig } = await cluster.kubernetes.serviceAccount({ namespace, name });
    await using manager = createClient(await loadConfig({ path: kubeconfig }));
    await issue(manager, namespace, service);
  }

  async function issue(client: Client, namespace: string, service: string): Promise<void> {
    const stop = new AbortController();
    const certificate = createIssuedCertificate({
      commonName: service,
      dnsNames: [`${service}.${namespace}.svc`],
      secrets: client.resource(builtInResources.secrets),
      secret: { namespace, name: issuedSecretName(service) },
      publish: async () => {},
    });
    const served = Promise.withResolvers<void>();
    const running = certificate.run(stop.signal, () => served.resolve());
    await served.promise;
    stop.abort();
    await running;
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
      await issueAs(row.deployment, key.namespace, row.service);
      await issue(admin.client, key.namespace, "neighbour");
      assert.ok(await hasSecret(key.namespace, row.service));
      await admin.remove(row.kind, key);
      await admin.isGone(row.kind, key);
      assert.equal(await admin.find(type, deployment), undefined);
      // Its authority would be trusted by nobody, and its key would stay for good.
      assert.ok(!(await hasSecret(key.namespace, row.service)), "its certificate is still there");
      const isLeft = await hasSecret(key.namespace, "neighbour");
      assert.ok(isLeft, "the certificate of another provider is gone");
    });
  }

  it("a Secret of the same name that somebody else made stays", async () => {
    const { vsphere } = providers;
    assert.ok(vsphere);
    const key = { namespace: "team-own-secret", name: "vsphere" };
    await offer("vsphere", key.namespace, vsphere);
    const metadata = { namespace: key.namespace, name: issuedSecretName(vsphere.service) };
    const own = { apiVersion: "v1", kind: "Secret", metadata };
    await admin.client.resource<KubeObject>(builtInResources.secrets).create(own);
    await admin.create(vsphere.kind, key, { version });
    await admin.conditionIs(vsphere.kind, key, ["Ready", "Ready"]);
    await admin.remove(vsphere.kind, key);
    await admin.isGone(vsphere.kind, key);
    assert.ok(await hasSecret(key.namespace, vsphere.service));
  });
});
