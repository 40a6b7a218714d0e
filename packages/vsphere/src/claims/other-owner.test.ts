import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { VSphereClusterIdentity } from "@rookery/api";
import type { Client } from "@rookery/client";
import { forbiddenError, type KubeObject, notFoundError, type Resource } from "@rookery/kube";
import { otherOwner } from "./other-owner.ts";

const apiVersion = "infrastructure.cluster.x-k8s.io/v1beta1";
const metadata = { name: "mine", uid: "mine" };
const identity: VSphereClusterIdentity = {
  apiVersion,
  kind: "VSphereClusterIdentity",
  metadata,
  spec: { secretName: "s" },
};

/** A Secret that says whom it belongs to. */
const secretOf = (kind: string, name: string, uid: string) => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { namespace: "system", name: "s", ownerReferences: [{ apiVersion, kind, name, uid }] },
});

/** A server with these objects, by kind and name; what is "hidden" may not be seen. */
function clientOf(known: Readonly<Record<string, Partial<KubeObject> | "hidden">>): Client {
  const resource = ({ kind }: Resource) => ({
    get: async ({ name }: { readonly name: string }) => {
      const found = known[`${kind}/${name}`];
      const gone = { group: "", resource: kind };
      if (found === "hidden") throw forbiddenError(gone, name, "it is not yours");
      if (!found) throw notFoundError(gone, name);
      return found;
    },
  });
  return { resource } as unknown as Client;
}

const cluster = (kind: string, name: string, uid = "c") => ({
  metadata: { name: "c", uid },
  spec: { identityRef: { kind, name } },
});
const other = (secretName: string, uid = "o") => ({ metadata: { uid }, spec: { secretName } });

describe("a Secret belongs to another", () => {
  const ofCluster = secretOf("VSphereCluster", "c", "c");
  const ofOther = secretOf("VSphereClusterIdentity", "o", "o");
  const table: Record<string, [KubeObject, Parameters<typeof clientOf>[0], string | undefined]> = {
    "where a cluster is there and names it": [
      ofCluster,
      { "VSphereCluster/c": cluster("Secret", "s") },
      "the VSphereCluster c",
    ],
    "not where there is no such cluster": [ofCluster, {}, undefined],
    "not where the cluster was made anew": [
      ofCluster,
      { "VSphereCluster/c": cluster("Secret", "s", "anew") },
      undefined,
    ],
    "not where the cluster names another Secret": [
      ofCluster,
      { "VSphereCluster/c": cluster("Secret", "t") },
      undefined,
    ],
    "not where the cluster names an identity": [
      ofCluster,
      { "VSphereCluster/c": cluster("VSphereClusterIdentity", "s") },
      undefined,
    ],
    "where the cluster may not be seen": [
      ofCluster,
      { "VSphereCluster/c": "hidden" },
      "the VSphereCluster c",
    ],
    "where another identity names it": [
      ofOther,
      { "VSphereClusterIdentity/o": other("s") },
      "the VSphereClusterIdentity o",
    ],
    "not where the other identity names another": [
      ofOther,
      { "VSphereClusterIdentity/o": other("t") },
      undefined,
    ],
    "not where it is the identity itself": [
      secretOf("VSphereClusterIdentity", "mine", "mine"),
      { "VSphereClusterIdentity/mine": other("s", "mine") },
      undefined,
    ],
  };
  for (const [what, [secret, known, expected]] of Object.entries(table)) {
    it(what, async () =>
      assert.equal(await otherOwner(clientOf(known), identity, secret), expected),
    );
  }
});
