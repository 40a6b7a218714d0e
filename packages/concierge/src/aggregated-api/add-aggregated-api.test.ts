import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { notFoundError } from "@rookery/kube";
import { type ApiService, injectIntoApiService } from "./add-aggregated-api.ts";

const name = "v1alpha1.login.concierge.pinniped.dev";
const { signal } = new AbortController();

/** A cluster with one APIService, or none. */
function cluster(caBundle: string | undefined, exists = true) {
  const patches: object[] = [];
  const inject = injectIntoApiService(
    {
      get: async () => {
        const resource = { group: "apiregistration.k8s.io", resource: "apiservices" };
        if (!exists) throw notFoundError(resource, name);
        const spec = caBundle === undefined ? {} : { caBundle };
        return { metadata: { name }, spec } as ApiService;
      },
      patch: async (_, { patch }) => void patches.push(patch),
    },
    name,
  );
  return { inject, patches };
}

describe("the authorities in an APIService", () => {
  const bundle = Buffer.from("PEM").toString("base64");

  it("are put there where there are none, or others", async () => {
    for (const before of [undefined, "b3RoZXI="]) {
      const { inject, patches } = cluster(before);
      await inject("PEM", signal);
      assert.deepEqual(patches, [{ spec: { caBundle: bundle } }]);
    }
  });

  it("are not written again where they are there, nor where there is no APIService", async () => {
    for (const { inject, patches } of [cluster(bundle), cluster(undefined, false)]) {
      await inject("PEM", signal);
      assert.deepEqual(patches, []);
    }
  });
});
