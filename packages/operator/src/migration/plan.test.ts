import assert from "node:assert/strict";
import { test } from "node:test";
import type { Provider } from "@rookery/api";
import type { ClusterctlRecord } from "@rookery/cluster-api";
import { clusterctlProvider, type ProviderKind } from "@rookery/components";
import { type LeaveReason, planMigration } from "./plan.ts";

const record = (fields: Partial<ClusterctlRecord> = {}): ClusterctlRecord => ({
  ...(clusterctlProvider({
    provider: { kind: "BootstrapProvider", name: "kubeadm" },
    version: "v1.8.4",
    namespace: "bootstrap",
  }) as ClusterctlRecord),
  ...fields,
});
const declared = (kind: ProviderKind, name: string): Provider =>
  ({
    apiVersion: "management.cluster.x-k8s.io/v1alpha1",
    kind,
    metadata: { name, namespace: "elsewhere" },
    spec: {},
  }) as Provider;
const plan = (one: ClusterctlRecord, providers: readonly Provider[] = []) =>
  planMigration({ record: one, records: [one], providers });

test("a record becomes the object that declares what is installed", () => {
  assert.deepEqual(plan(record()), {
    action: "Adopt",
    identity: { kind: "BootstrapProvider", name: "kubeadm" },
    version: "v1.8.4",
    manifest: {
      apiVersion: "management.cluster.x-k8s.io/v1alpha1",
      kind: "BootstrapProvider",
      metadata: { name: "kubeadm", namespace: "bootstrap" },
      spec: { version: "v1.8.4" },
    },
  });
});

test("a provider that watches one namespace goes on to watch that one", () => {
  const migration = plan(record({ watchedNamespace: "team-a" }));
  assert.ok(migration.action === "Adopt");
  assert.deepEqual(migration.manifest.spec?.watch, { namespaces: ["team-a"] });
});

test("a provider of the same name and another kind is another provider", () => {
  const others = [declared("ControlPlaneProvider", "kubeadm")];
  assert.equal(plan(record(), others).action, "Adopt");
});

const left: Readonly<Record<string, readonly [ClusterctlRecord, LeaveReason, Provider[]?]>> = {
  "of a type without a kind": [record({ type: "OtherProvider" }), "UnknownType"],
  "without a version": [record({ version: "" }), "InvalidVersion"],
  "whose version has no v": [record({ version: "1.8.4" }), "InvalidVersion"],
  "of a provider that is declared, wherever it is": [
    record(),
    "AlreadyDeclared",
    [declared("BootstrapProvider", "kubeadm")],
  ],
  "that is being deleted": [
    record({ metadata: { ...record().metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } }),
    "BeingDeleted",
  ],
  "that the operator has written": [
    record({
      metadata: { ...record().metadata, managedFields: [{ manager: "rookery-operator" }] },
    }),
    "WrittenByOperator",
  ],
};

for (const [sentence, [one, reason, providers]] of Object.entries(left)) {
  test(`a record ${sentence} is left`, () => {
    const migration = plan(one, providers);
    assert.ok(migration.action === "Leave");
    assert.equal(migration.reason, reason);
  });
}

test("two records of one provider are both left, and named", () => {
  const other = record({ metadata: { ...record().metadata, namespace: "second" } });
  const input = { record: record(), records: [record(), other], providers: [] };
  const migration = planMigration(input);
  assert.ok(migration.action === "Leave");
  assert.equal(migration.reason, "SeveralRecords");
  assert.match(migration.message, /bootstrap\/bootstrap-kubeadm, second\/bootstrap-kubeadm/);
});
