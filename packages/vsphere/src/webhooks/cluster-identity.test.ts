import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { VSphereCluster, VSphereClusterIdentity } from "@rookery/api";
import { isForbidden, type ObjectMeta } from "@rookery/kube";
import { apiVersion, asked, servers } from "../../test/webhooks/admission.ts";
import type { ServerRules } from "../credentials/server-rules.ts";
import { inUseFinalizer } from "../in-use.ts";
import { clusterIdentityValidator, refuseManagers } from "./cluster-identity.ts";

const identity = (spec: Partial<VSphereClusterIdentity["spec"]> = {}, metadata: ObjectMeta = {}) =>
  ({
    apiVersion,
    kind: "VSphereClusterIdentity",
    metadata: { name: "shared", ...metadata },
    spec: { secretName: "s", allowedServers: ["vc"], ...spec },
  }) satisfies VSphereClusterIdentity;

const cluster = (spec: VSphereCluster["spec"], metadata: ObjectMeta = {}): VSphereCluster => ({
  apiVersion,
  kind: "VSphereCluster",
  metadata: { namespace: "team", name: "c", ...metadata },
  ...(spec && { spec }),
});
const shared = { kind: "VSphereClusterIdentity", name: "shared" } as const;

describe("an identity", () => {
  const { create, delete: remove } = clusterIdentityValidator({
    servers,
    clustersNaming: async () =>
      ["one", "two", "three", "four"].map((name) => cluster({ identityRef: shared }, { name })),
  });
  const usedBy = (...names: string[]) =>
    names.map((name) => inUseFinalizer({ namespace: "team", name }));

  const warningsOf = async (
    object: VSphereClusterIdentity,
    changes: Partial<ServerRules> = {},
  ): Promise<string> => {
    const validator = clusterIdentityValidator({
      clustersNaming: async () => [],
      servers: { ...servers, ...changes },
    });
    const contexts = [asked(), asked()] as const;
    await validator.create?.(object, contexts[0]);
    await validator.update?.(object, identity(), contexts[1]);
    assert.deepEqual(contexts[0].warnings, contexts[1].warnings);
    return contexts[0].warnings.join("\n");
  };
  const { allowedServers: _, ...withoutServers } = identity().spec;
  const unset = { ...identity(), spec: withoutServers };

  it("without servers brings a warning that says with which it may be used", async () => {
    assert.match(await warningsOf(unset), /allowedServers is not set: .* alone: vc$/);
    assert.match(await warningsOf(unset, { listed: async () => [] }), /no new cluster may use/);
    assert.match(await warningsOf(unset, { isAnyServerAllowed: true }), /sent to any server/);
  });

  it("for every namespace brings a warning, when it is made and when it is changed", async () => {
    for (const allowedNamespaces of [{}, { list: [] }, { selector: {} }]) {
      assert.match(await warningsOf(identity({ allowedNamespaces })), /in every namespace may use/);
    }
    for (const allowedNamespaces of [
      { list: ["team"] },
      { selector: { matchLabels: { a: "b" } } },
    ]) {
      assert.equal(await warningsOf(identity({ allowedNamespaces })), "");
    }
  });

  it("with servers brings none", async () => {
    const context = asked();
    await create?.(identity(), context);
    assert.deepEqual(context.warnings, []);
  });

  const refused: Record<string, [Partial<VSphereClusterIdentity["spec"]>, RegExp]> = {
    "with two names of its Secret": [
      { secretRef: { name: "t" } },
      /exactly one of secretRef and secretName/,
    ],
    "with a selector that selects nothing": [
      { allowedNamespaces: { selector: { matchExpressions: [{ key: "a", operator: "In" }] } } },
      /spec\.allowedNamespaces\.selector\.matchExpressions\[0\]\.values: Required value/,
    ],
  };
  for (const [what, [spec, message]] of Object.entries(refused)) {
    it(`${what} is refused`, async () => {
      await assert.rejects(async () => create?.(identity(spec), asked()), message);
    });
  }

  it("can be deleted when nobody uses it, though somebody names it", async () => {
    await remove?.(identity(), asked());
  });

  it("cannot be deleted while it is used, and names who uses it", async () => {
    const finalizers = usedBy("four", "one", "three", "two", "in-another-namespace");
    await assert.rejects(
      async () => remove?.(identity({}, { finalizers }), asked()),
      (error) => {
        assert.ok(isForbidden(error));
        const users = "5 VSphereClusters use it: team/four, team/one, team/three and 2 more";
        assert.match(String(error), new RegExp(users));
        return true;
      },
    );
  });
});

const before: VSphereClusterIdentity = {
  apiVersion,
  kind: "VSphereClusterIdentity",
  metadata: { name: "shared", labels: { a: "b" }, finalizers: ["one"] },
  spec: { secretName: "s", allowedNamespaces: { list: ["team"] }, allowedServers: ["vc"] },
};
const metadata = (changes: object) => ({ metadata: { ...before.metadata, ...changes } });
const spec = (changes: object) => ({ spec: { ...before.spec, ...changes } });
const manager = "system:serviceaccount:tenant-capv-system:capv-controller-manager";

function write(username: string, changes: Partial<VSphereClusterIdentity>): void {
  const context = asked();
  const request = { ...context.request, userInfo: { username } };
  refuseManagers({ ...before, ...changes }, before, { ...context, request });
}

describe("the manager of an instance may not", () => {
  const table: Record<string, Partial<VSphereClusterIdentity>> = {
    "open an identity to other namespaces": spec({ allowedNamespaces: {} }),
    "send its password to another server": spec({ allowedServers: ["evil"] }),
    "let it name another Secret": spec({ secretName: "mine" }),
    "label it": metadata({ labels: {} }),
    "give it an owner, with which it would go": metadata({
      ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "a", uid: "a" }],
    }),
  };
  for (const [what, changes] of Object.entries(table)) {
    it(what, () => assert.throws(() => write(manager, changes), isForbidden));
  }
});

describe("an identity is changed by", () => {
  it("the manager, as far as its users and what is kept of it are concerned", () => {
    write(manager, metadata({ finalizers: ["one", "two"], resourceVersion: "2", generation: 3 }));
  });
  it("administrators, and accounts of others", () => {
    write("admin", spec({ allowedNamespaces: {} }));
    write("system:serviceaccount:argo:argo", spec({ allowedNamespaces: {} }));
  });
});
