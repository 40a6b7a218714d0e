import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KubeObject } from "@rookery/kube";
import { goodCrd } from "../../test/crd-rows.ts";
import { crdScene } from "../../test/crds/crd.ts";
import { WebhookCallError } from "../errors.ts";
import type { WebhookCall } from "../webhooks/webhook-client.ts";
import { CrdConverter } from "./converter.ts";
import type { Crd } from "./crd.ts";

const group = "rows.rookery.example.com";

function twoVersions(strategy: "None" | "Webhook", reviews = ["v1"]): Crd {
  const crd = goodCrd();
  const [first] = crd.spec.versions;
  assert.ok(first);
  crd.spec.versions.push({ ...first, name: "v2", storage: false });
  crd.spec.conversion =
    strategy === "None"
      ? { strategy }
      : {
          strategy,
          webhook: {
            clientConfig: { url: "https://hook.example.com/convert" },
            conversionReviewVersions: reviews,
          },
        };
  return crd as unknown as Crd;
}

const widget = (name: string, version = "v1"): KubeObject =>
  ({
    apiVersion: `${group}/${version}`,
    kind: "Widget",
    metadata: { name, namespace: "there", uid: name, labels: { a: "1" } },
    spec: { size: 1 },
  }) as KubeObject;

interface Review {
  readonly apiVersion: string;
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: KubeObject[];
  };
}

type Change = (object: KubeObject) => object;

/** A webhook that changes the version, and what it is told to. */
function converting(change: Change = (object) => object, response: object = {}) {
  const calls: Review["request"][] = [];
  const post = async ({ body }: WebhookCall) => {
    const { apiVersion, request } = body as Review;
    calls.push(request);
    const convertedObjects = request.objects.map((object) =>
      change({ ...object, apiVersion: request.desiredAPIVersion }),
    );
    const result = { status: "Success" };
    return {
      apiVersion,
      kind: "ConversionReview",
      response: { uid: request.uid, convertedObjects, result, ...response },
    };
  };
  return { calls, post };
}

const about = `conversion webhook for ${group}/v1, Kind=Widget`;

describe("objects are converted", () => {
  it("by their version alone where that is the strategy", async () => {
    const converter = new CrdConverter(twoVersions("None"), converting());
    const [object] = await converter.convert([widget("a")], `${group}/v2`);
    assert.deepEqual(object, widget("a", "v2"));
  });

  it("all at once by a webhook, but for those that need not be", async () => {
    const webhook = converting();
    const converter = new CrdConverter(twoVersions("Webhook"), webhook);
    const objects = [widget("a"), widget("b", "v2"), widget("c")];
    const converted = await converter.convert(objects, `${group}/v2`);
    assert.deepEqual(
      converted.map(({ apiVersion, metadata }) => [apiVersion, metadata.name]),
      [
        [`${group}/v2`, "a"],
        [`${group}/v2`, "b"],
        [`${group}/v2`, "c"],
      ],
    );
    assert.deepEqual(
      webhook.calls.map(({ objects: asked }) => asked.map(({ metadata }) => metadata.name)),
      [["a", "c"]],
    );
  });

  it("with labels as the webhook says, and all other metadata as it was", async () => {
    const webhook = converting((object) => ({
      ...object,
      metadata: { ...object.metadata, labels: { b: "2" }, finalizers: ["x"] },
    }));
    const converter = new CrdConverter(twoVersions("Webhook"), webhook);
    const [object] = await converter.convert([widget("a")], `${group}/v2`);
    const { metadata } = widget("a");
    assert.deepEqual(object?.metadata, { ...metadata, labels: { b: "2" } });
  });

  it("and pruned by the schema of their new version", async () => {
    const webhook = converting((object) => ({ ...object, spec: { size: 2, odd: 1 } }));
    const converter = new CrdConverter(twoVersions("Webhook"), webhook);
    const [object] = await converter.convert([widget("a")], `${group}/v2`);
    assert.deepEqual(object?.spec, { size: 2 });
  });
});

describe("a conversion that fails says why", () => {
  const renamed = (metadata: object): Change => {
    return (object) => ({ ...object, metadata: { ...object.metadata, ...metadata } });
  };
  const rows: Record<string, [{ post(call: WebhookCall): Promise<unknown> }, string]> = {
    "the webhook can't be asked": [
      { post: () => Promise.reject(new WebhookCallError('Post "https://x": EOF')) },
      `${about} failed: Post "https://x": EOF`,
    ],
    "the webhook says so": [
      converting(undefined, { result: { status: "Failure", message: "can't" } }),
      `${about} failed: can't`,
    ],
    "the webhook says so without a word": [
      converting(undefined, { result: { status: "Failure" } }),
      `${about} failed: response.result.status was 'Failure', not 'Success'`,
    ],
    "there is no response": [
      {
        post: async () => ({ apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview" }),
      },
      `${about} failed: no response provided`,
    ],
    "it is no review": [
      { post: async () => ({}) },
      `${about} failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind=`,
    ],
    "there are too few objects": [
      converting(undefined, { convertedObjects: [] }),
      `${about} returned 0 objects, expected 1`,
    ],
    "the version is another one": [
      converting((object) => ({ ...object, apiVersion: `${group}/v3` })),
      `${about} returned invalid object at index 0: invalid groupVersion (expected ${group}/v2, received ${group}/v3)`,
    ],
    "the kind is another one": [
      converting((object) => ({ ...object, kind: "Gadget" })),
      `${about} returned invalid object at index 0: invalid kind (expected Widget, received Gadget)`,
    ],
    "the name is another one": [
      converting(renamed({ name: "b" })),
      `${about} returned invalid object: must have the same name: a != b`,
    ],
    "the UID is another one": [
      converting(renamed({ uid: "b" })),
      `${about} returned invalid object: must have the same UID: a != b`,
    ],
    "the metadata is gone": [
      converting(({ metadata: _, ...object }) => object),
      `${about} returned invalid object: must have the same name: a != `,
    ],
    "a label is no text": [
      converting(renamed({ labels: { a: 1 } })),
      `${about} returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object`,
    ],
  };
  for (const [name, [webhook, message]] of Object.entries(rows)) {
    it(name, async () => {
      const converter = new CrdConverter(twoVersions("Webhook"), webhook);
      await assert.rejects(converter.convert([widget("a")], `${group}/v2`), { message });
    });
  }

  it("no version of reviews is known", async () => {
    const converter = new CrdConverter(twoVersions("Webhook", ["v9"]), converting());
    await assert.rejects(converter.convert([widget("a")], `${group}/v2`), {
      message: "no supported conversion review versions",
    });
  });

  it("there is no such version", async () => {
    const converter = new CrdConverter(twoVersions("None"), converting());
    await assert.rejects(converter.convert([widget("a")], `${group}/v9`), {
      message: `request to convert CR to an invalid group/version: ${group}/v9`,
    });
  });
});

describe("a kind with a webhook", () => {
  it("is read and written in any of its versions", async () => {
    await using scene = await crdScene();
    const { post, calls } = converting((object) => object);
    scene.webhook = post;
    await scene.define(twoVersions("Webhook"));
    const path = (version: string) => `/apis/${group}/${version}/namespaces/there/widgets`;
    const body = { apiVersion: `${group}/v2`, kind: "Widget", metadata: { name: "a" } };
    const created = await scene.ask("POST", path("v2"), { body });
    assert.deepEqual([created.status, created.body.apiVersion], [201, `${group}/v2`]);
    assert.equal(scene.store.list(`widgets.${group}`).entries[0]?.object.apiVersion, `${group}/v1`);
    const before = calls.length;
    for (let i = 0; i < 3; i++) {
      const list = (await scene.ask("GET", path("v2"))).body;
      assert.equal(list.items[0].apiVersion, `${group}/v2`);
    }
    // What was converted once is not converted again.
    assert.ok(calls.length - before <= 1);
    assert.equal((await scene.ask("GET", `${path("v1")}/a`)).body.apiVersion, `${group}/v1`);
  });

  it("can't be read while the webhook is away", async () => {
    await using scene = await crdScene();
    await scene.define(twoVersions("Webhook"));
    const path = (version: string) => `/apis/${group}/${version}/namespaces/there/widgets`;
    const body = { apiVersion: `${group}/v1`, kind: "Widget", metadata: { name: "a" } };
    await scene.ask("POST", path("v1"), { body });
    scene.webhook = () => {
      throw new WebhookCallError("away");
    };
    const { status, body: answer } = await scene.ask("GET", `${path("v2")}/a`);
    assert.deepEqual([status, answer.message], [500, `${about} failed: away`]);
  });
});
