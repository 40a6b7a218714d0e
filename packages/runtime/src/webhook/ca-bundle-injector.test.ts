import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { notFoundError } from "@rookery/kube";
import {
  injectIntoAll,
  injectIntoConversion,
  injectIntoWebhooks,
  type PatchingClient,
} from "./ca-bundle-injector.ts";

const { signal } = new AbortController();
const metadata = { name: "rookery" };
const caBundle = Buffer.from("PEM").toString("base64");

/** One object, and the patches that it gets. */
function clientOf<T>(object: T | undefined): PatchingClient<T> & { patches: unknown[] } {
  const patches: unknown[] = [];
  return {
    patches,
    get: async ({ name }) =>
      object ?? Promise.reject(notFoundError({ group: "", resource: "" }, name)),
    patch: async (_, patch) => void patches.push(patch),
  };
}

describe("a bundle of authorities", () => {
  const configuration = (...bundles: (string | undefined)[]) => ({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata,
    webhooks: bundles.map((bundle, index) => ({
      name: `${index}.example.com`,
      clientConfig: bundle === undefined ? {} : { caBundle: bundle },
    })),
  });

  it("goes into those webhooks that have another one", async () => {
    const client = clientOf(configuration(caBundle, undefined, "b2xk"));
    await injectIntoWebhooks(client, "rookery")("PEM", signal);
    const webhooks = ["1.example.com", "2.example.com"].map((name) => ({
      name,
      clientConfig: { caBundle },
    }));
    assert.deepEqual(client.patches, [{ type: "strategic", patch: { webhooks } }]);
  });

  it("goes into the conversion of a CustomResourceDefinition", async () => {
    const definition = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata,
      spec: { conversion: { webhook: { clientConfig: {} } } },
    };
    const client = clientOf(definition);
    await injectIntoConversion(client, "rookery")("PEM", signal);
    const patch = { spec: { conversion: { webhook: { clientConfig: { caBundle } } } } };
    assert.deepEqual(client.patches, [{ type: "merge", patch }]);
  });

  it("is not written where it is already, nor where there is no place for it", async () => {
    const there = clientOf(configuration(caBundle));
    await injectIntoWebhooks(there, "rookery")("PEM", signal);
    const plain = { apiVersion: "v1", kind: "x", metadata, spec: { conversion: {} } };
    const unconverted = clientOf(plain);
    await injectIntoConversion(unconverted, "rookery")("PEM", signal);
    const missing = clientOf<typeof plain>(undefined);
    await injectIntoConversion(missing, "rookery")("PEM", signal);
    assert.deepEqual([there.patches, unconverted.patches, missing.patches], [[], [], []]);
  });

  it("goes everywhere, even where one place fails", async () => {
    const bundles: string[] = [];
    const inject = injectIntoAll([
      () => Promise.reject(new Error("no rights")),
      async (bundle) => void bundles.push(bundle),
    ]);
    await assert.rejects(inject("PEM", signal), /no rights/);
    assert.deepEqual(bundles, ["PEM"]);
  });
});
