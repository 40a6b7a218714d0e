import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  type CustomResourceDefinition,
  type KubernetesNode,
  rookeryImage,
  startNode,
  type TestNamespace,
  waitFor,
} from "@rookery/testing";

const group = "runtime.rookery.dev";
const image = "rookery.dev/nest-manager:test";
const labels = { app: "nest-manager" };

describe("a provider with two replicas on a real node", () => {
  let node: KubernetesNode;
  let namespace: TestNamespace;

  before(async () => {
    node = await startNode();
    const source = fileURLToPath(new URL("./nest-manager.ts", import.meta.url));
    await node.importImage(
      await rookeryImage({
        name: image,
        files: [{ path: "packages/runtime/nest-manager.ts", source }],
      }),
    );
    await node.applyCrd(crd);
    namespace = await node.createNamespace("provider");
    for (const manifest of manifests(namespace.name)) await apply(manifest);
    await kubectl("wait", "deployment/nest-manager", "--for=condition=Available", "--timeout=180s");
  });
  after(() => node?.[Symbol.asyncDispose]());

  const kubectl = (...args: string[]) => node.kubectl([`--namespace=${namespace.name}`, ...args]);
  const apply = (manifest: object) =>
    node.kubectl(["apply", `--namespace=${namespace.name}`, "--filename=-"], {
      stdin: JSON.stringify(manifest),
    });
  const lay = (name: string, eggs: number) =>
    apply({ apiVersion: `${group}/v1`, kind: "Nest", metadata: { name }, spec: { eggs } });
  const counted = (name: string, eggs: number) =>
    waitFor(
      async () => {
        const path = `/apis/${group}/v1/namespaces/${namespace.name}/nests/${name}`;
        const { status } = (await node.request("GET", path)).body;
        return status?.eggs === eggs ? (status.by as string) : undefined;
      },
      { what: `${eggs} eggs to be counted in ${name}`, timeout: 120_000 },
    );
  const caBundle = async () => {
    const path =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/nest-manager";
    return (await node.request("GET", path)).body.webhooks[0].clientConfig.caBundle as string;
  };

  test("reconciles, by the one that leads, and tells so by an event", async () => {
    await lay("a", 3);
    const leader = await counted("a", 3);
    const lease = await kubectl(
      "get",
      "lease",
      "nest-manager",
      "-o",
      "jsonpath={.spec.holderIdentity}",
    );
    assert.ok(lease.startsWith(`${leader}_`), `${lease} should be ${leader}`);
    await waitFor(async () => /there are 3 eggs/.test(await kubectl("get", "events")), {
      what: "the event",
    });
  });

  test("refuses what its webhook refuses, by a certificate that it issued itself", async () => {
    await assert.rejects(lay("b", 13), /spec.eggs: Invalid value: 13: no nest holds more than 12/);
  });

  test("goes on by the other replica when the leader's pod is killed", async () => {
    await lay("c", 1);
    const leader = await counted("c", 1);
    await kubectl("delete", "pod", leader, "--grace-period=0", "--force");
    await lay("c", 2);
    assert.notEqual(await counted("c", 2), leader);
  });

  test("puts its certificate back when the Secret is lost, and refuses no call meanwhile", async () => {
    await kubectl("wait", "deployment/nest-manager", "--for=condition=Available", "--timeout=180s");
    const bundle = await caBundle();
    await kubectl("delete", "secret", "nest-manager-cert");
    await waitFor(
      async () => {
        await lay("d", 4);
        return kubectl("get", "secret", "nest-manager-cert").catch(() => undefined);
      },
      { what: "the Secret to be back", fatal: () => true },
    );
    assert.equal(await caBundle(), bundle);
    await assert.rejects(lay("d", 13), /no nest holds more than 12/);
    await counted("d", 4);
  });

  test("hands the lease over at once when it is asked to end", async () => {
    await lay("e", 1);
    const leader = await counted("e", 1);
    await kubectl("delete", "pod", leader, "--wait=false");
    await lay("e", 2);
    assert.notEqual(await counted("e", 2), leader);
  });
});

const crd: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `nests.${group}` },
  spec: {
    group,
    scope: "Namespaced",
    names: { plural: "nests", singular: "nest", kind: "Nest", listKind: "NestList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object", properties: { eggs: { type: "integer" } } },
              status: {
                type: "object",
                properties: { eggs: { type: "integer" }, by: { type: "string" } },
              },
            },
          },
        },
      },
    ],
  },
};

/** What a provider is installed with: an account with just the rights it needs, pods, a Service. */
function manifests(namespace: string): object[] {
  const metadata = { name: "nest-manager" };
  const rule = (apiGroup: string, resources: string[], verbs: string[]) => ({
    apiGroups: [apiGroup],
    resources,
    verbs,
  });
  const service = {
    name: "nest-manager",
    namespace,
    path: "/validate-runtime-rookery-dev-v1-nest",
  };
  return [
    { apiVersion: "v1", kind: "ServiceAccount", metadata },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata,
      rules: [
        rule(group, ["nests"], ["get", "list", "watch"]),
        rule(group, ["nests/status"], ["patch"]),
        rule("events.k8s.io", ["events"], ["create", "patch"]),
        rule("", ["secrets"], ["get", "create", "update"]),
        rule("coordination.k8s.io", ["leases"], ["get", "create", "update"]),
        rule("admissionregistration.k8s.io", ["validatingwebhookconfigurations"], ["get", "patch"]),
      ],
    },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
      metadata,
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "nest-manager" },
      subjects: [{ kind: "ServiceAccount", name: "nest-manager", namespace }],
    },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata,
      spec: { selector: labels, ports: [{ port: 443, targetPort: 9443 }] },
    },
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata,
      webhooks: [
        {
          name: "nests.runtime.rookery.dev",
          clientConfig: { service },
          admissionReviewVersions: ["v1"],
          sideEffects: "None",
          rules: [
            {
              apiGroups: [group],
              apiVersions: ["v1"],
              resources: ["nests"],
              operations: ["CREATE", "UPDATE"],
            },
          ],
        },
      ],
    },
    deployment(),
  ];
}

function deployment() {
  const container = {
    name: "manager",
    image,
    imagePullPolicy: "Never",
    command: ["node", "/app/packages/runtime/nest-manager.ts"],
    args: [
      "--leader-elect",
      "--leader-elect-lease-duration=6s",
      "--leader-elect-renew-deadline=4s",
      "--leader-elect-retry-period=1s",
    ],
    env: [{ name: "POD_NAMESPACE", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } }],
    readinessProbe: { httpGet: { path: "/readyz", port: 9440 }, periodSeconds: 1 },
    livenessProbe: { httpGet: { path: "/healthz", port: 9440 }, periodSeconds: 5 },
  };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "nest-manager" },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { serviceAccountName: "nest-manager", containers: [container] },
      },
    },
  };
}
