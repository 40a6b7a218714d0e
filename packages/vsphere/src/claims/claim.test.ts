import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type KubeObject, notFoundError, type ObjectMeta } from "@rookery/kube";
import { release } from "./claim.ts";

const secret = (metadata: ObjectMeta): KubeObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { namespace: "team", name: "account", ...metadata },
});
const owner = (uid: string) => ({ apiVersion: "a/v1", kind: "A", name: uid, uid });

/** A server on which something is left of the claim after it was taken back. */
function server(left: KubeObject | undefined) {
  const patches: unknown[] = [];
  return {
    patches,
    apply: async () => {
      if (!left) throw notFoundError({ group: "", resource: "secrets" }, "account");
      return left;
    },
    patch: async (_: unknown, { patch }: { readonly patch: object | string }) => {
      patches.push(patch);
      return secret({});
    },
  };
}

describe("what is claimed", () => {
  it("is free where taking the claim back was enough", async () => {
    const api = server(secret({ ownerReferences: [owner("other")] }));
    await release(api, secret({}), { by: "me", ownerUid: "mine" });
    assert.deepEqual(api.patches, []);
  });

  it("is set free where another has set the same, and what others have stays", async () => {
    const left = { resourceVersion: "7", ownerReferences: [owner("mine"), owner("other")] };
    const api = server(secret(left));
    await release(api, secret({}), { by: "me", ownerUid: "mine" });
    assert.deepEqual(api.patches, [
      { metadata: { resourceVersion: "7", ownerReferences: [owner("other")] } },
    ]);
  });

  it("needs nothing where it is gone", async () => {
    const api = server(undefined);
    await release(api, secret({}), { by: "me", ownerUid: "mine" });
    assert.deepEqual(api.patches, []);
  });
});
