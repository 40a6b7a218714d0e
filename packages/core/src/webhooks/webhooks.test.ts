import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Cluster, ClusterResourceSet, Machine } from "@rookery/api";
import { isInvalid } from "@rookery/kube";
import type { AdmissionContext } from "@rookery/runtime";
import { clusterValidator } from "./cluster.ts";
import { mutatingWebhookConfiguration, validatingWebhookConfiguration } from "./configuration.ts";
import { defaultMachine, machineValidator } from "./machine.ts";
import { bindingValidator, defaultResourceSet, resourceSetValidator } from "./resource-set.ts";
import { coreWebhooks } from "./webhooks.ts";

const context = {} as AdmissionContext;
const reference = { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "A", name: "a" };

const cluster = (spec: Cluster["spec"], name = "c"): Cluster => ({
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Cluster",
  metadata: { namespace: "team", name },
  spec,
});

const machine = (spec: Partial<Machine["spec"]>): Machine => ({
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Machine",
  metadata: { namespace: "team", name: "m" },
  spec: {
    clusterName: "c",
    bootstrap: { dataSecretName: "data" },
    infrastructureRef: reference,
    ...spec,
  },
});

const set = (spec: Partial<ClusterResourceSet["spec"]>): ClusterResourceSet => ({
  apiVersion: "addons.cluster.x-k8s.io/v1beta2",
  kind: "ClusterResourceSet",
  metadata: { namespace: "team", name: "s" },
  spec: {
    clusterSelector: { matchLabels: { a: "b" } },
    resources: [{ kind: "ConfigMap", name: "a" }],
    ...spec,
  },
});

async function refused(judge: () => unknown, words: RegExp): Promise<void> {
  await assert.rejects(
    async () => judge(),
    (error) => {
      assert.ok(isInvalid(error));
      assert.match(String(error), words);
      return true;
    },
  );
}

describe("a Cluster", () => {
  const good = cluster({ infrastructureRef: reference, controlPlaneRef: reference });

  test("is taken with parts that are named", async () => {
    await clusterValidator.create?.(good, context);
    await clusterValidator.update?.(good, good, context);
  });

  const bad: Record<string, readonly [Cluster, RegExp]> = {
    "names nothing": [cluster({ paused: true }), /one of spec\.controlPlaneRef/],
    "has a name that can be no label": [
      cluster({ infrastructureRef: reference }, "a".repeat(64)),
      /must be a valid label value/,
    ],
    "has a range that is none": [
      cluster({
        infrastructureRef: reference,
        clusterNetwork: { pods: { cidrBlocks: ["10.0.0.0/8", "10.0.0.0/33"] } },
      }),
      /spec\.clusterNetwork\.pods\.cidrBlocks: Invalid value: "10\.0\.0\.0\/33"/,
    ],
  };
  for (const [name, [object, words]] of Object.entries(bad)) {
    test(`is refused that ${name}`, () =>
      refused(() => clusterValidator.create?.(object, context), words));
  }

  test("keeps what it is made of", async () => {
    const { infrastructureRef } = good.spec;
    const less = cluster({ ...(infrastructureRef && { infrastructureRef }) });
    await refused(
      () => clusterValidator.update?.(less, good, context),
      /spec\.controlPlaneRef: Forbidden: cannot be removed/,
    );
  });
});

describe("a Machine", () => {
  test("is given its label, a v and a time for its node to go", async () => {
    const { metadata, spec } = await defaultMachine(machine({ version: "1.34.4" }), context);
    assert.deepEqual(metadata.labels, { "cluster.x-k8s.io/cluster-name": "c" });
    assert.equal(spec.version, "v1.34.4");
    assert.deepEqual(spec.deletion, { nodeDeletionTimeoutSeconds: 10 });
  });

  test("keeps a time that it has", async () => {
    const deletion = { nodeDeletionTimeoutSeconds: 0, nodeDrainTimeoutSeconds: 5 };
    const { spec } = await defaultMachine(machine({ deletion }), context);
    assert.deepEqual(spec.deletion, deletion);
  });

  test("is refused without what it starts with, or with a version that is none", async () => {
    const create = (object: Machine) => () => machineValidator.create?.(object, context);
    await refused(create(machine({ bootstrap: {} })), /spec\.bootstrap: Required value/);
    await refused(create(machine({ version: "v1.34" })), /must be a valid semantic version/);
    await machineValidator.create?.(machine({ version: "v1.34.4-rc.1+a" }), context);
  });

  test("stays with its cluster", () =>
    refused(
      () => machineValidator.update?.(machine({ clusterName: "d" }), machine({}), context),
      /spec\.clusterName: Forbidden: field is immutable/,
    ));
});

describe("a ClusterResourceSet", () => {
  test("is applied once unless it says otherwise", async () => {
    assert.equal((await defaultResourceSet(set({}), context)).spec.strategy, "ApplyOnce");
    const reconciled = set({ strategy: "Reconcile" });
    assert.equal((await defaultResourceSet(reconciled, context)).spec.strategy, "Reconcile");
  });

  test("has to select something", () =>
    refused(
      () => resourceSetValidator.create?.(set({ clusterSelector: {} }), context),
      /selector must not be empty/,
    ));

  test("stays with what it selects, and how it applies", async () => {
    const old = set({ strategy: "ApplyOnce" });
    const update = (spec: Partial<ClusterResourceSet["spec"]>) => () =>
      resourceSetValidator.update?.(set({ strategy: "ApplyOnce", ...spec }), old, context);
    await update({ resources: [{ kind: "Secret", name: "b" }] })();
    await refused(update({ strategy: "Reconcile" }), /spec\.strategy/);
    await refused(update({ clusterSelector: { matchLabels: { a: "c" } } }), /field is immutable/);
  });

  test("has bindings that stay with their cluster", () => {
    const binding = (clusterName: string) => ({
      apiVersion: "addons.cluster.x-k8s.io/v1beta2" as const,
      kind: "ClusterResourceSetBinding" as const,
      metadata: { name: "c" },
      spec: { clusterName },
    });
    return refused(
      () => bindingValidator.update?.(binding("d"), binding("c"), context),
      /spec\.clusterName/,
    );
  });
});

test("every webhook that is configured is served", () => {
  const service = { namespace: "n", name: "s" };
  const configured = [
    validatingWebhookConfiguration("v", { service }),
    mutatingWebhookConfiguration("m", { service }),
  ].flatMap(({ webhooks = [] }) =>
    webhooks.map(
      ({ clientConfig }) => (clientConfig as { service: { path: string } }).service.path,
    ),
  );
  assert.deepEqual(
    configured.sort(),
    coreWebhooks()
      .map(({ path }) => path)
      .sort(),
  );
});
