import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type Client, createClient, loadConfig } from "@rookery/client";
import { getCondition } from "@rookery/kube";
import {
  createTemporaryFolder,
  type Kubernetes,
  PretendKubelet,
  startKubernetes,
  type TemporaryFolder,
  waitFor,
} from "@rookery/testing";
import { commandsIn, Shell } from "./document.ts";
import { createOperatorClient, shippedManifests } from "./operator-account.ts";
import { Administrator, RunningOperator } from "./running-operator.ts";
import { smallProvider } from "./small-provider.ts";

const core = { namespace: "cluster-api-system", name: "cluster-api" };
const infrastructure = { namespace: "infra-system", name: "infra" };
/** Where the operator may do nothing at all. */
const elsewhere = { namespace: "elsewhere-system", name: "elsewhere" };
/** Beside a provider that it is locked to. */
const beside = { namespace: infrastructure.namespace, name: "beside" };
/** Instances of one provider, of which one has rights in its namespaces alone. */
const instances = ["eggs1-system", "eggs2-system"].map((namespace) => ({
  namespace,
  name: "eggs",
}));
/** With what cert-manager would do: the operator has to write Secrets for it. */
const componentsOf = (name: string) => smallProvider({ name, more: certificate(name) });

describe("an operator that is locked to what some providers need", () => {
  let kubernetes: Kubernetes;
  let folder: TemporaryFolder;
  let client: Client;
  let account: Client;
  let administrator: Administrator;
  let kubelet: PretendKubelet;
  let operator: RunningOperator;

  before(async () => {
    kubernetes = await startKubernetes({ private: true });
    folder = await createTemporaryFolder("locked-role");
    client = createClient(await loadConfig({ path: kubernetes.kubeconfig }));
    administrator = new Administrator(client);
    kubelet = new PretendKubelet(client);
    const needed = (await shippedManifests()).filter(({ kind }) =>
      ["Namespace", "CustomResourceDefinition", "ServiceAccount"].includes(kind),
    );
    await apply(needed);
    for (const { namespace, name } of [core, infrastructure, elsewhere, beside]) {
      await administrator.makeNamespace(namespace);
      const components = componentsOf(name);
      await administrator.offer(namespace, { name, version: "v1.0.0", components });
    }
    await lockAsDocumented();
    account = await createOperatorClient(kubernetes);
    operator = await RunningOperator.start(account);
  });
  after(async () => {
    await operator?.[Symbol.asyncDispose]();
    for (const one of [kubelet, account, client, kubernetes, folder]) {
      await one?.[Symbol.asyncDispose]();
    }
  });

  /** Runs what docs/security.md says. */
  async function lockAsDocumented(): Promise<void> {
    const files = { core, infrastructure };
    for (const [file, { name }] of Object.entries(files)) {
      await writeFile(join(folder.path, `${file}-components.yaml`), componentsOf(name));
    }
    const shell = await Shell.create(kubernetes, folder.path);
    const printed: string[] = [];
    for (const commands of await commandsIn("security.md")) {
      printed.push(await shell.run(`cd ${folder.path}\n${commands}`));
    }
    assert.match(printed.at(-1) ?? "", /^no/);
    await lockToInstances(shell);
  }

  /** The same with a provider that is there several times, as docs/instances.md says. */
  async function lockToInstances(shell: Shell): Promise<void> {
    const eggs = smallProvider({ name: "eggs", divisible: true });
    await writeFile(join(folder.path, "eggs.yaml"), eggs);
    const files = ["core-components.yaml", "infrastructure-components.yaml", "eggs.yaml"];
    const places = instances.map(({ namespace }) => `--instance eggs.yaml=${namespace}`);
    const flags = [...files.map((file) => `-f ${file}`), ...places, "--watched-namespace team"];
    const namespaces = [...instances.map(({ namespace }) => namespace), "team"];
    for (const namespace of namespaces) await administrator.makeNamespace(namespace);
    await shell.run(
      `cd ${folder.path}\nrookery operator rbac ${flags.join(" ")} | kubectl apply -f -`,
    );
    for (const { namespace, name } of instances) {
      await administrator.offer(namespace, { name, version: "v1.0.0", components: eggs });
    }
  }

  async function apply(manifests: readonly object[]): Promise<void> {
    const stdin = manifests.map((manifest) => JSON.stringify(manifest)).join("\n---\n");
    await kubernetes.kubectl(["apply", "--filename=-"], { stdin });
  }

  const mayI = (...args: readonly string[]) =>
    kubernetes
      .kubectl([
        "auth",
        "can-i",
        ...args,
        `--as=system:serviceaccount:rookery-system:rookery-operator`,
      ])
      .then(
        () => true,
        () => false,
      );

  it("installs them", async () => {
    await administrator.create("CoreProvider", core, { version: "v1.0.0" });
    await administrator.create("InfrastructureProvider", infrastructure, { version: "v1.0.0" });
    await administrator.conditionIs("InfrastructureProvider", infrastructure, ["Ready", "Ready"]);
  });

  it("upgrades them to a release with the same objects", async () => {
    const release = { name: "infra", version: "v1.1.0", components: componentsOf("infra") };
    await administrator.offer(infrastructure.namespace, release);
    await administrator.change("InfrastructureProvider", infrastructure, { version: "v1.1.0" });
    const { status } = await administrator.conditionIs("InfrastructureProvider", infrastructure, [
      "Ready",
      "Ready",
    ]);
    assert.equal(status?.installedVersion, "v1.1.0");
  });

  it("installs instances that divide namespaces, and deletes the first", async () => {
    const [one, two] = instances as [typeof core, typeof core];
    const kind = "InfrastructureProvider";
    const finer = { namespaces: ["team"], rbac: "Namespaced" } as const;
    await administrator.create(kind, one, { version: "v1.0.0", watch: finer });
    await administrator.conditionIs(kind, one, ["Ready", "Ready"]);
    await administrator.create(kind, two, { version: "v1.0.0", watch: { rest: true } });
    await administrator.conditionIs(kind, two, ["Ready", "Ready"]);
    await administrator.remove(kind, one);
    await administrator.isGone(kind, one);
    await administrator.watches(kind, two, { by: "flag", first: true, rbac: "Cluster" });
    await administrator.remove(kind, two);
    await administrator.isGone(kind, two);
  });

  for (const [where, key] of [
    ["in another namespace", elsewhere],
    ["beside one that it is locked to", beside],
  ] as const) {
    it(`says what it may not do for another provider ${where}`, async () => {
      await administrator.create("InfrastructureProvider", key, { version: "v1.0.0" });
      const failed = await administrator.conditionIs("InfrastructureProvider", key, [
        "Ready",
        "NotAllowed",
      ]);
      const { message } = getCondition(failed.status?.conditions, "Ready") ?? {};
      assert.match(message ?? "", /is forbidden.* cannot (get|patch|create)/);
    });
  }

  it("cannot give anyone anything but what they hold", async () => {
    assert.equal(await mayI("escalate", "clusterroles/infra-manager"), true);
    assert.equal(await mayI("escalate", "clusterroles/beside-manager"), false);
    assert.equal(await mayI("bind", "clusterroles/cluster-admin"), false);
    assert.equal(await mayI("create", "deployments", "--namespace=default"), false);
    assert.equal(await mayI("delete", "secrets", "--namespace=kube-system"), false);
  });

  it("deletes them, and leaves nothing behind", async () => {
    await administrator.remove("InfrastructureProvider", elsewhere);
    // It was never allowed to do anything for it, and so can't know that there is nothing to do.
    const held = [`infrastructureprovider/${elsewhere.name}`, `--namespace=${elsewhere.namespace}`];
    const finalizers = JSON.stringify({ metadata: { finalizers: null } });
    await kubernetes.kubectl(["patch", ...held, "--type=merge", `--patch=${finalizers}`]);
    await administrator.isGone("InfrastructureProvider", elsewhere);
    for (const [kind, key] of [
      ["InfrastructureProvider", beside],
      ["InfrastructureProvider", infrastructure],
      ["CoreProvider", core],
    ] as const) {
      await administrator.remove(kind, key);
      await administrator.isGone(kind, key);
    }
    const left = async () => {
      const kinds = "clusterroles,clusterrolebindings,validatingwebhookconfigurations";
      return kubernetes.kubectl(["get", kinds, "--selector=cluster.x-k8s.io/provider", "-o=name"]);
    };
    await waitFor(async () => (await left()) === "", { what: "all components to be gone" });
  });
});

function certificate(name: string): string {
  return `
apiVersion: cert-manager.io/v1
kind: Issuer
metadata: {name: ${name}-issuer, namespace: ${name}-system}
spec: {selfSigned: {}}
---
apiVersion: cert-manager.io/v1
kind: Certificate
metadata: {name: ${name}-serving-cert, namespace: ${name}-system}
spec:
  secretName: ${name}-webhook-cert
  dnsNames: [${name}-webhook.${name}-system.svc]
  issuerRef: {kind: Issuer, name: ${name}-issuer}
`;
}
