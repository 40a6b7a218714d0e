import assert from "node:assert/strict";
import { test } from "node:test";
import { installAccess } from "../../src/kubernetes/install-access.ts";
import { startKubernetes } from "../../src/kubernetes/start.ts";
import { runCommand } from "../../src/process/command.ts";

test("a service account of a release has the rights of its roles and no others", async () => {
  await using kubernetes = await startKubernetes();
  await using namespace = await kubernetes.createNamespace("access");
  const metadata = { name: "manager", namespace: namespace.name };
  const apiGroup = "rbac.authorization.k8s.io";
  // The binding comes first on purpose: the order in a release does not matter.
  await installAccess(kubernetes, [
    {
      apiVersion: `${apiGroup}/v1`,
      kind: "RoleBinding",
      metadata,
      roleRef: { apiGroup, kind: "Role", name: "manager" },
      subjects: [{ kind: "ServiceAccount", ...metadata }],
    },
    {
      apiVersion: `${apiGroup}/v1`,
      kind: "Role",
      metadata,
      rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list"] }],
    },
    { apiVersion: "v1", kind: "ServiceAccount", metadata },
    { apiVersion: "v1", kind: "ConfigMap", metadata: { ...metadata, name: "not-access" } },
  ]);
  const account = await kubernetes.serviceAccount(metadata);
  const canI = (verb: string, resource: string) =>
    runCommand(kubernetes.description.kubectl, [
      ...[`--kubeconfig=${account.kubeconfig}`, `--namespace=${namespace.name}`],
      ...["auth", "can-i", verb, resource],
    ]).then(
      () => true,
      () => false,
    );
  assert.equal(await canI("list", "configmaps"), true);
  assert.equal(await canI("list", "secrets"), false);
  const { status } = await kubernetes.request(
    "GET",
    `/api/v1/namespaces/${namespace.name}/configmaps/not-access`,
  );
  assert.equal(status, 404);
});
