import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  conflictError,
  isConflict,
  type KubeObject,
  notFoundError,
  type ObjectMeta,
} from "@rookery/kube";
import { claim, release } from "./claim.ts";

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
  const read = secret({ uid: "u", resourceVersion: "7" });
  const claimed = async (isSeen: boolean, answer: () => KubeObject) => {
    const applied: ObjectMeta[] = [];
    const apply = async ({ metadata }: KubeObject) => {
      applied.push(metadata);
      return answer();
    };
    const result = await claim({ apply }, read, { by: "me", owner: owner("mine"), isSeen });
    return { applied, result };
  };
  const conflict = (why: string) => () => {
    throw conflictError({ group: "", resource: "secrets" }, "account", why);
  };

  it("must be as it was read where somebody else may have claimed it since", async () => {
    const { applied } = await claimed(true, () => read);
    assert.deepEqual([applied[0]?.uid, applied[0]?.resourceVersion], ["u", "7"]);
    const changed = claimed(true, conflict("the object has been modified"));
    await assert.rejects(changed, isConflict);
  });

  it("is not there where another has its name", async () => {
    const { result } = await claimed(
      true,
      conflict("Precondition failed: UID in precondition: uid"),
    );
    assert.equal(result, undefined);
  });

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
