import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { VSphereCluster, VSphereClusterIdentity } from "@rookery/api";
import { isInvalid, type ObjectMeta } from "@rookery/kube";
import { apiVersion, asked, servers } from "../../test/webhooks/admission.ts";
import { clusterValidator } from "./cluster.ts";

const identity = (spec: Partial<VSphereClusterIdentity["spec"]> = {}) =>
  ({
    apiVersion,
    kind: "VSphereClusterIdentity",
    metadata: { name: "shared" },
    spec: { secretName: "s", allowedServers: ["vc"], ...spec },
  }) satisfies VSphereClusterIdentity;

const cluster = (spec: VSphereCluster["spec"], metadata: ObjectMeta = {}): VSphereCluster => ({
  apiVersion,
  kind: "VSphereCluster",
  metadata: { namespace: "team", name: "c", ...metadata },
  ...(spec && { spec }),
});
const shared = { kind: "VSphereClusterIdentity", name: "shared" } as const;

describe("a cluster", () => {
  const validatorFor = (known?: VSphereClusterIdentity) =>
    clusterValidator({
      getIdentity: async () => known,
      servers,
      getNamespace: async (name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } }),
    });
  const mine = identity({ allowedNamespaces: { list: ["team"] } });
  const theirs = identity({ allowedNamespaces: { list: ["others"] } });

  it("may use an identity that is for its namespace and its server", async () => {
    await validatorFor(mine).create?.(cluster({ server: "vc", identityRef: shared }), asked());
  });

  it("is refused an identity that is not for its namespace", async () => {
    const create = async () =>
      validatorFor(theirs).create?.(cluster({ server: "vc", identityRef: shared }), asked());
    await assert.rejects(create, (error) => {
      assert.ok(isInvalid(error));
      const message =
        /spec\.identityRef\.name: Forbidden: .* may not be used in the namespace team/;
      assert.match(String(error), message);
      return true;
    });
  });

  it("is refused an identity that is not for its server", async () => {
    const create = async () =>
      validatorFor(mine).create?.(cluster({ server: "evil", identityRef: shared }), asked());
    await assert.rejects(create, /spec\.server: Forbidden: .* may not be used on evil/);
  });

  it("is refused an identity without servers on one that the installation does not list", async () => {
    const { allowedServers: _, ...spec } = mine.spec;
    const validator = validatorFor({ ...mine, spec });
    await validator.create?.(cluster({ server: "vc", identityRef: shared }), asked());
    const evil = cluster({ server: "evil", identityRef: shared });
    await assert.rejects(
      async () => validator.create?.(evil, asked()),
      /spec\.server: Forbidden: .*--vcenter-server=evil, or set spec\.allowedServers/,
    );
  });

  it("is judged by the namespace of the request where it names none yet", async () => {
    const { metadata: _, ...rest } = cluster({ server: "vc", identityRef: shared });
    await validatorFor(mine).create?.({ ...rest, metadata: { name: "c" } }, asked());
  });

  it("is warned of an identity that is not there, and not refused", async () => {
    const context = asked();
    await validatorFor().create?.(cluster({ server: "vc", identityRef: shared }), context);
    assert.equal(context.warnings.length, 1);
  });

  it("is refused when it turns to an identity or a server that is not for it", async () => {
    const before = cluster({ server: "vc" });
    const update = async () =>
      validatorFor(theirs).update?.(
        cluster({ server: "vc", identityRef: shared }),
        before,
        asked(),
      );
    await assert.rejects(update, isInvalid);
  });

  it("can be changed in other ways, and deleted, when its identity is for it no more", async () => {
    const before = cluster({ server: "vc", identityRef: shared });
    const labelled = cluster(before.spec, { labels: { a: "b" } });
    await validatorFor(theirs).update?.(labelled, before, asked());
    const deletionTimestamp = "2026-01-01T00:00:00Z";
    const going = cluster({ server: "other", identityRef: shared }, { deletionTimestamp });
    await validatorFor(theirs).update?.(going, before, asked());
  });

  it("may use a Secret, which is its own namespace's", async () => {
    const identityRef = { kind: "Secret", name: "s" } as const;
    await validatorFor(theirs).create?.(cluster({ server: "vc", identityRef }), asked());
  });
});
