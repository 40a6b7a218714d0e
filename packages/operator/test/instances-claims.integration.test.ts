import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { getCondition, type KubeObject } from "@rookery/kube";
import { eventResource } from "@rookery/runtime";
import { type Fate, waitFor } from "@rookery/testing";
import { type Administrator, OperatorCluster, type ProviderKey } from "./running-operator.ts";
import { smallProvider } from "./small-provider.ts";

const kind = "InfrastructureProvider";
const shared = { namespace: "nests1-system", name: "nests" };
const own = { namespace: "nests2-system", name: "nests" };
const version = "v1.0.0";
const tenant = "chinstrap";
const everything = { by: "flag", first: true, rbac: "Cluster" } as const;

type EventObject = KubeObject & {
  readonly reason: string;
  readonly regarding: { readonly namespace: string };
};

describe("an instance that claims namespaces of the one that has the rest", () => {
  let cluster: OperatorCluster;
  let admin: Administrator;
  let fate: Fate = "runs";

  before(async () => {
    cluster = await OperatorCluster.start({ fateOf: () => fate });
    ({ admin } = cluster);
    const core = { namespace: "capi-system", name: "cluster-api" };
    const release = { name: core.name, version, components: smallProvider({ name: "core" }) };
    await admin.install("CoreProvider", core, release);
    for (const name of [tenant, "late", shared.namespace, own.namespace])
      await admin.makeNamespace(name);
    await offer(shared.namespace);
    await admin.create(kind, shared, { version, watch: { rest: true } });
    await admin.conditionIs(kind, shared, ["Ready", "Ready"]);
    await admin.watches(kind, shared, everything);
  });
  after(() => cluster?.[Symbol.asyncDispose]());

  const offer = (namespace: string) => {
    const components = smallProvider({ name: "nests", divisible: true });
    return admin.offer(namespace, { name: "nests", version, components });
  };
  const warns = (key: ProviderKey, reason: string, message: RegExp) => {
    let last = "";
    return waitFor(
      async () => {
        const { status } = await admin.get(kind, key);
        const warning = getCondition(status?.conditions, "Warning");
        last = JSON.stringify(warning);
        return warning?.reason === reason && message.test(warning.message);
      },
      { what: `${key.namespace} to warn of ${reason}`, detail: () => last },
    );
  };
  const watched = async (key: ProviderKey) => (await admin.get(kind, key)).status?.watch;

  it("gets none while its version is not to be had: the other keeps watching, and says so", async () => {
    await admin.create(kind, own, { version, watch: { namespaces: [tenant] } });
    await admin.conditionIs(kind, own, ["ProviderFetched", "VersionNotFound"]);
    await warns(
      shared,
      "NamespacesKept",
      /namespace chinstrap.*nests2-system\/nests.*VersionNotFound/,
    );
    assert.deepEqual(await watched(shared), everything);
  });

  it("gets them once it is installed", async () => {
    await offer(own.namespace);
    await admin.conditionIs(kind, own, ["Ready", "Ready"]);
    await admin.watches(kind, shared, { ...everything, excludedNamespaces: [tenant] });
    await admin.watches(kind, own, {
      by: "flag",
      first: false,
      rbac: "Namespaced",
      namespaces: [tenant],
    });
    await waitFor(
      async () => !getCondition((await admin.get(kind, shared)).status?.conditions, "Warning"),
      { what: "the warning to go" },
    );
  });

  it("gets no further one that it cannot take, as its spec was refused", async () => {
    await admin.change(kind, own, { watch: { namespaces: [tenant, "missing"] } });
    await admin.conditionIs(kind, own, ["PreflightCheckPassed", "RbacNotPossible"]);
    await warns(shared, "NamespacesKept", /namespace missing.*RbacNotPossible/);
    assert.deepEqual(await watched(shared), { ...everything, excludedNamespaces: [tenant] });
    await admin.change(kind, own, { watch: { namespaces: [tenant] } });
    await admin.conditionIs(kind, own, ["Ready", "Ready"]);
  });

  it("that does not run leaves a gap: both say so, by a condition and an event", async () => {
    fate = "crashes";
    const pods = await admin.client.kind({ group: "", kind: "Pod" });
    await pods.deleteCollection({ namespace: own.namespace });
    for (const key of [own, shared]) {
      await warns(
        key,
        "NamespaceGap",
        /nobody watches namespace chinstrap: .*nests2-system\/nests/,
      );
      await waitFor(
        async () => {
          const { items } = await admin.client
            .resource<EventObject>(eventResource)
            .list({ namespace: key.namespace });
          return items.some(({ reason }) => reason === "NamespaceGap");
        },
        { what: `an event of the gap for ${key.namespace}` },
      );
    }
    fate = "runs";
    await pods.deleteCollection({ namespace: own.namespace });
    await admin.conditionIs(kind, own, ["Ready", "Ready"]);
    for (const key of [own, shared]) {
      await waitFor(
        async () => !getCondition((await admin.get(kind, key)).status?.conditions, "Warning"),
        { what: "the warning to go", timeout: 120_000 },
      );
    }
  });
});
