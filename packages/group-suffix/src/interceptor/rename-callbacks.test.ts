import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { answer, ask } from "../../test/interceptor/server.ts";
import { exampleMapping, exampleRules } from "../../test/rules/kinds.ts";
import { createGroupMapping } from "../mapping/group-mapping.ts";
import { renameCallbacks } from "./rename-callbacks.ts";

const rename = renameCallbacks({ mapping: exampleMapping, rules: exampleRules });
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");
const review = (suffix: string, resource = "crontabs") => ({
  kind: "AdmissionReview",
  apiVersion: "admission.k8s.io/v1",
  request: {
    uid: "1",
    resource: { group: `login.${suffix}`, version: "v1", resource },
    object: { apiVersion: `login.${suffix}/v1`, kind: "CronTab" },
  },
});
const patched = (patch: unknown) => ({
  kind: "AdmissionReview",
  apiVersion: "admission.k8s.io/v1",
  response: { uid: "1", allowed: true, patchType: "JSONPatch", patch: base64(patch) },
});

describe("calls of webhooks", () => {
  it("are not intercepted without a mapping", () => {
    assert.equal(renameCallbacks({ mapping: createGroupMapping([]) }), undefined);
  });

  it("ask about virtual groups at the path that is the webhook's own", async () => {
    const path = "/mutate-a-example-com-v1-crontab/a.team1.org";
    const body = review("team1.org");
    const { received } = await ask(rename, { method: "POST", path, query: "timeout=10s", body });
    assert.equal(received[0]?.request.path, path);
    assert.equal(received[0]?.request.query, "timeout=10s");
    assert.deepEqual(JSON.parse(received[0]?.body ?? ""), review("example.com"));
  });

  it("are answered with patches of real objects", async () => {
    const patch = (suffix: string) => [
      { op: "test", path: "/apiVersion", value: `login.${suffix}/v1` },
      {
        op: "add",
        path: "/metadata/ownerReferences",
        value: [{ apiVersion: `a.${suffix}/v1`, kind: "x", uid: 9007199254740993n.toString() }],
      },
      { op: "replace", path: "/spec/template/apiVersion", value: "a.example.com/v1" },
    ];
    const { text } = await ask(
      rename,
      { method: "POST", path: "/mutate", body: review("team1.org") },
      () => answer(patched(patch("example.com"))),
    );
    assert.deepEqual(JSON.parse(text), patched(patch("team1.org")));
  });

  it("are answered with patches along the rules of the kind that is asked about", async () => {
    const patch = (suffix: string) => [
      { op: "add", path: "/spec/template", value: { apiVersion: `a.${suffix}/v1` } },
    ];
    const { text } = await ask(
      rename,
      { method: "POST", path: "/mutate", body: review("team1.org", "indices") },
      () => answer(patched(patch("example.com"))),
    );
    assert.deepEqual(JSON.parse(text), patched(patch("team1.org")));
  });

  it("are answered with converted objects of the real group", async () => {
    const body = (suffix: string) => ({
      kind: "ConversionReview",
      apiVersion: "apiextensions.k8s.io/v1",
      request: {
        uid: "1",
        desiredAPIVersion: `a.${suffix}/v2`,
        objects: [{ apiVersion: `a.${suffix}/v1`, kind: "CronTab" }],
      },
    });
    const response = (suffix: string) => ({
      kind: "ConversionReview",
      apiVersion: "apiextensions.k8s.io/v1",
      response: { uid: "1", convertedObjects: [{ apiVersion: `a.${suffix}/v2`, kind: "CronTab" }] },
    });
    const { text, received } = await ask(
      rename,
      { method: "POST", path: "/convert", body: body("team1.org") },
      () => answer(response("example.com")),
    );
    assert.deepEqual(JSON.parse(received[0]?.body ?? ""), body("example.com"));
    assert.deepEqual(JSON.parse(text), response("team1.org"));
  });

  it("are renamed in answers whose media type does not say that they are JSON", async () => {
    const denied = (suffix: string) => ({
      kind: "AdmissionReview",
      apiVersion: "admission.k8s.io/v1",
      response: { uid: "1", allowed: false, status: { message: `no a.${suffix}/v1 here` } },
    });
    const guessed = { "content-type": "text/plain; charset=utf-8" };
    const { text } = await ask(
      rename,
      { method: "POST", path: "/validate", body: review("team1.org") },
      () => answer(denied("example.com"), guessed),
    );
    assert.deepEqual(JSON.parse(text), denied("team1.org"));
    const plain = await ask(
      rename,
      { method: "POST", path: "/validate", body: review("team1.org") },
      () => answer("a.example.com is down", guessed, 503),
    );
    assert.equal(plain.text, "a.example.com is down");
  });

  it("of an aggregated API are renamed from real to virtual, the path too", async () => {
    const body = (suffix: string) => ({ apiVersion: `login.${suffix}/v1`, kind: "Foo" });
    const { text, received } = await ask(
      rename,
      { method: "POST", path: "/apis/login.team1.org/v1/foos", body: body("team1.org") },
      (asked) => answer(asked.body),
    );
    assert.equal(received[0]?.request.path, "/apis/login.example.com/v1/foos");
    assert.deepEqual(JSON.parse(received[0]?.body ?? ""), body("example.com"));
    assert.deepEqual(JSON.parse(text), body("team1.org"));
  });

  it("without a body are probes and pass", async () => {
    const { text } = await ask(rename, { path: "/healthz" }, () => answer("a.example.com"));
    assert.equal(text, "a.example.com");
  });

  it("that are no JSON are refused", async () => {
    const headers = { "content-type": "application/vnd.kubernetes.protobuf" };
    const { response } = await ask(rename, { method: "POST", path: "/x", headers, body: "k8s" });
    assert.equal(response.status, 415);
    const broken = await ask(rename, { method: "POST", path: "/x", body: '{"kind":' });
    assert.equal(broken.response.status, 400);
  });

  it("whose answer cannot be read fail", async () => {
    const body = review("team1.org");
    const { response } = await ask(rename, { method: "POST", path: "/x", body }, () => answer("{"));
    assert.equal(response.status, 500);
  });
});
