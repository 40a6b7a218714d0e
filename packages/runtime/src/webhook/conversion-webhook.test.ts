import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Context } from "@rookery/http";
import type { KubeObject } from "@rookery/kube";
import { createRecordingLogger } from "../../test/logging/recording-logger.ts";
import { ConversionError } from "../errors.ts";
import { type Conversion, conversionWebhook } from "./conversion-webhook.ts";
import { hubConversion } from "./hub-conversion.ts";

const group = "example.com";

/** v1 has spec.size; v2, the hub, has spec.count; v3 has spec.replicas. */
const widgets = hubConversion({
  group,
  kind: "Widget",
  hub: "v2",
  spokes: { v1: renamed("size"), v3: renamed("replicas") },
});

function renamed(field: string) {
  const rename = (from: string, to: string) => (object: KubeObject) => ({
    ...object,
    spec: { [to]: (object.spec as Record<string, unknown>)[from] },
  });
  return { toHub: rename(field, "count"), fromHub: rename("count", field) };
}

function widget(version: string, name: string, spec: object): KubeObject {
  const metadata = { name, namespace: "team-a", uid: `uid-${name}` };
  return { apiVersion: `${group}/${version}`, kind: "Widget", metadata, spec };
}

async function convert(request: object, conversions: readonly Conversion[] = [widgets]) {
  const logger = createRecordingLogger();
  let panics = 0;
  const webhook = conversionWebhook(conversions);
  const handler = webhook.createHandler({ logger, onPanic: () => void panics++ });
  const kind = "ConversionReview";
  const response = await handler({
    method: "POST",
    path: webhook.path,
    query: "",
    headers: { "content-type": "application/json" },
    body: Buffer.from(JSON.stringify({ apiVersion: "apiextensions.k8s.io/v1", kind, request })),
    signal: new AbortController().signal,
    context: Context.empty,
  });
  const json = JSON.parse(String(response.body));
  return { json, response: json.response, logger, panics };
}

describe("a conversion webhook", () => {
  it("converts all objects, in their order, and answers the very request", async () => {
    const objects = [
      widget("v1", "a", { size: 1 }),
      widget("v2", "b", { count: 2 }),
      widget("v3", "c", { replicas: 3 }),
      widget("v1", "d", { size: 4 }),
    ];
    const desiredAPIVersion = "example.com/v3";
    const { json } = await convert({ uid: "1234", desiredAPIVersion, objects });
    assert.deepEqual(json, {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "ConversionReview",
      response: {
        uid: "1234",
        result: { status: "Success" },
        convertedObjects: [
          widget("v3", "a", { replicas: 1 }),
          widget("v3", "b", { replicas: 2 }),
          widget("v3", "c", { replicas: 3 }),
          widget("v3", "d", { replicas: 4 }),
        ],
      },
    });
  });

  const one = [widget("v1", "a", { size: 1 })];
  const rows: Record<string, [request: object, message: string]> = {
    "a version that there is not": [
      { desiredAPIVersion: "example.com/v9", objects: one },
      "could not convert Widget v9: it has v2, v1, v3",
    ],
    "another group": [
      { desiredAPIVersion: "example.org/v2", objects: one },
      "could not convert Widget team-a/a to example.org/v2: it is of the group example.com",
    ],
    "a kind that nothing converts": [
      { desiredAPIVersion: "example.com/v2", objects: [{ ...one[0], kind: "Gadget" }] },
      "could not convert Gadget team-a/a to example.com/v2: nothing here converts this kind",
    ],
    "something that is no object": [
      { desiredAPIVersion: "example.com/v2", objects: [null] },
      "could not convert an object: it has no kind or metadata",
    ],
    "nothing at all": [
      { desiredAPIVersion: "example.com/v2" },
      "could not convert the request: it has no desiredAPIVersion, or no objects",
    ],
  };
  for (const [name, [request, message]] of Object.entries(rows)) {
    it(`fails as a whole for ${name}`, async () => {
      const { response, panics } = await convert({ uid: "1234", ...request });
      assert.equal(response.uid, "1234");
      assert.deepEqual(response.result, { status: "Failure", message });
      assert.deepEqual(response.convertedObjects, []);
      assert.equal(panics, 0);
    });
  }

  it("tells users why a converter cannot, and nothing of its mistakes", async () => {
    const failing = (error: Error) => ({
      group,
      kind: "Widget",
      convert: () => {
        throw error;
      },
    });
    const request = { uid: "1", desiredAPIVersion: "example.com/v2", objects: one };
    const known = await convert(request, [failing(new ConversionError("Widget a", "too big"))]);
    assert.equal(known.response.result.message, "could not convert Widget a: too big");
    const unknown = await convert(request, [failing(new TypeError("token=abc"))]);
    assert.equal(unknown.panics, 1);
    assert.doesNotMatch(JSON.stringify(unknown.json), /abc/);
    assert.match(String(unknown.logger.lines[0]?.error), /abc/);
  });
});
