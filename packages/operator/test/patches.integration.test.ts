import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { getCondition, type KubeObject } from "@rookery/kube";
import { type Administrator, OperatorCluster } from "./running-operator.ts";
import { smallProvider } from "./small-provider.ts";

const kind = "InfrastructureProvider";
const core = { namespace: "capi-system", name: "cluster-api" };
const aws = { namespace: "capa-system", name: "aws" };

type Deployment = KubeObject<{
  readonly template: {
    readonly spec: {
      readonly priorityClassName?: string;
      readonly serviceAccountName?: string;
      readonly containers: readonly { readonly args: readonly string[] }[];
    };
  };
}>;

describe("spec.patches of a provider", () => {
  let cluster: OperatorCluster;
  let admin: Administrator;

  before(async () => {
    cluster = await OperatorCluster.start();
    ({ admin } = cluster);
    const version = "v1.0.0";
    const forCore = smallProvider({ name: "core" });
    await admin.install("CoreProvider", core, { name: core.name, version, components: forCore });
    const components = smallProvider({ name: "aws", divisible: true });
    await admin.install(kind, aws, { name: aws.name, version, components });
  });
  after(() => cluster[Symbol.asyncDispose]());

  const manager = () =>
    admin.find<Deployment>(
      { group: "apps", kind: "Deployment" },
      { namespace: aws.namespace, name: "aws-manager" },
    );

  /** In the namespace that the instance watches, and elsewhere. */
  const mayGetSecrets = async (name: string) => {
    const as = `--as=system:serviceaccount:${aws.namespace}:${name}`;
    const ask = (namespace: string) =>
      cluster.kubernetes
        .kubectl(["auth", "can-i", "get", "secrets", as, `--namespace=${namespace}`])
        .catch(() => "no");
    return [(await ask("team-a")).trim(), await ask("kube-system")];
  };

  it("change what runs", async () => {
    const patch =
      "{kind: Deployment, metadata: {name: aws-manager}, spec: {template: {spec: {priorityClassName: system-cluster-critical}}}}";
    await admin.change(kind, aws, { patches: [{ patch }] });
    await admin.conditionIs(kind, aws, ["Ready", "Ready"]);
    const found = await manager();
    assert.equal(found?.spec?.template.spec.priorityClassName, "system-cluster-critical");
  });

  it("that cannot be applied change nothing, and a condition says why", async () => {
    const before = await manager();
    const reaching =
      "{kind: ClusterRoleBinding, subjects: [{kind: ServiceAccount, name: a, namespace: team}]}";
    const rows = {
      "{kind: Deployment, metadata: {name: other}}": /patches\[0\]: it fits none/,
      [reaching]: /ClusterRoleBinding aws-manager reaches outside of its namespace capa-system/,
    };
    for (const [patch, message] of Object.entries(rows)) {
      await admin.change(kind, aws, { patches: [{ patch }] });
      const reason = patch === reaching ? "OutsideNamespace" : "PatchRefused";
      const { status } = await admin.conditionIs(kind, aws, ["ProviderFetched", reason]);
      assert.match(getCondition(status?.conditions, "Ready")?.message ?? "", message);
    }
    assert.equal((await manager())?.metadata.generation, before?.metadata.generation);
  });

  it("do not widen what an instance watches, nor its rights", async () => {
    await admin.makeNamespace("team-a");
    const argument = "/spec/template/spec/containers/0/args/-";
    const patches = [
      {
        patch: `[{op: add, path: ${argument}, value: --namespace=kube-system}]`,
        target: { kind: "Deployment" },
      },
      {
        patch:
          '{kind: ClusterRole, rules: [{apiGroups: [""], resources: [secrets], verbs: ["*"]}]}',
      },
    ];
    await admin.change(kind, aws, {
      patches,
      watch: { namespaces: ["team-a"], rbac: "Namespaced" },
    });
    await admin.conditionIs(kind, aws, ["Ready", "Ready"]);
    const { args = [] } = (await manager())?.spec?.template.spec.containers[0] ?? {};
    assert.deepEqual(
      args.filter((arg) => arg.startsWith("--namespace")),
      ["--namespace=team-a"],
    );
    assert.deepEqual(await mayGetSecrets("aws-manager"), ["yes", "no"]);
  });

  it("nor does another service account, which has the rights of the instance alone", async () => {
    const path = { namespace: aws.namespace, name: "identity" };
    await cluster.kubernetes.kubectl(["create", "sa", path.name, `-n=${path.namespace}`]);
    await admin.change(kind, aws, { deployment: { serviceAccountName: path.name } });
    await admin.conditionIs(kind, aws, ["Ready", "Ready"]);
    const { serviceAccountName } = (await manager())?.spec?.template.spec ?? {};
    assert.equal(serviceAccountName, path.name);
    assert.deepEqual(await mayGetSecrets(path.name), ["yes", "no"]);
  });
});
