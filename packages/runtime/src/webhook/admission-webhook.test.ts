import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Context } from "@rookery/http";
import {
  applyJsonPatch,
  FieldError,
  fieldPath,
  forbiddenError,
  invalidError,
  type KubeObject,
} from "@rookery/kube";
import { createRecordingLogger } from "../../test/logging/recording-logger.ts";
import { mutatingWebhook, type Validator, validatingWebhook } from "./kind-webhooks.ts";
import type { Webhook } from "./webhook.ts";

const kind = { group: "cluster.x-k8s.io", version: "v1beta2", kind: "Cluster" };
const cluster = {
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Cluster",
  metadata: { name: "prod", namespace: "team-a" },
  spec: { paused: false },
};

function review(request: object = {}): object {
  const base = { uid: "1234", operation: "CREATE", object: cluster, kind, userInfo: {} };
  return {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: { ...base, ...request },
  };
}

interface Question {
  readonly method?: string;
  readonly contentType?: string;
  readonly body?: string;
}

async function post(webhook: Webhook, body: unknown, question: Question = {}) {
  const logger = createRecordingLogger();
  let panics = 0;
  const handler = webhook.createHandler({ logger, onPanic: () => void panics++ });
  const { contentType = "application/json", method = "POST" } = question;
  const response = await handler({
    method,
    path: webhook.path,
    query: "timeout=10s",
    headers: { "content-type": contentType },
    body: Buffer.from(question.body ?? JSON.stringify(body)),
    signal: new AbortController().signal,
    context: Context.empty,
  });
  const text = String(response.body);
  const json = response.status === 200 ? JSON.parse(text) : undefined;
  return { status: response.status, text, answer: json?.response, json, logger, panics };
}

const validating = (validator: Validator<KubeObject>) => validatingWebhook(kind, validator);
const allowing = validating({});

describe("paths are those of controller-runtime", () => {
  it("of a group with dots", () => {
    assert.equal(allowing.path, "/validate-cluster-x-k8s-io-v1beta2-cluster");
    const mutating = mutatingWebhook(kind, (object) => object);
    assert.equal(mutating.path, "/mutate-cluster-x-k8s-io-v1beta2-cluster");
  });

  it("of the core group", () => {
    const pod = { group: "", version: "v1", kind: "Pod" };
    assert.equal(validatingWebhook(pod, {}).path, "/validate--v1-pod");
  });

  it("or another", () => assert.equal(validatingWebhook(kind, {}, "/here").path, "/here"));
});

describe("a validating webhook", () => {
  it("allows, and answers the very request", async () => {
    const { json } = await post(allowing, review());
    assert.deepEqual(json, {
      apiVersion: "admission.k8s.io/v1",
      kind: "AdmissionReview",
      response: { uid: "1234", allowed: true },
    });
  });

  it("sees what is created, updated and deleted, and whether it is a dry run", async () => {
    const seen: unknown[] = [];
    const webhook = validating({
      create: (object, { request }) => void seen.push(["create", object, request.dryRun]),
      update: (object, old, { request }) => void seen.push(["update", object, old, request.dryRun]),
      delete: (object, { request }) => void seen.push(["delete", object, request.dryRun]),
    });
    const old = { ...cluster, spec: { paused: true } };
    await post(webhook, review({ dryRun: true }));
    await post(webhook, review({ operation: "UPDATE", oldObject: old, dryRun: false }));
    await post(webhook, review({ operation: "DELETE", object: null, oldObject: old }));
    await post(webhook, review({ operation: "CONNECT", object: null }));
    assert.deepEqual(seen, [
      ["create", cluster, true],
      ["update", cluster, old, false],
      ["delete", old, undefined],
    ]);
  });

  it("denies with the Status that is thrown, causes and all", async () => {
    const webhook = validating({
      create() {
        const path = fieldPath("spec", "paused");
        throw invalidError(kind, "prod", [FieldError.invalid(path, false, "must be true")]);
      },
    });
    const { answer, panics } = await post(webhook, review());
    assert.equal(answer.uid, "1234");
    assert.equal(answer.allowed, false);
    assert.equal(answer.status.code, 422);
    assert.equal(answer.status.reason, "Invalid");
    assert.equal(answer.status.details.causes[0].field, "spec.paused");
    assert.equal(panics, 0);
  });

  it("finds the Status below another error", async () => {
    const denial = forbiddenError({ group: "", resource: "clusters" }, "prod", "not yours");
    const webhook = validating({
      create: async () => {
        throw new Error("could not validate", { cause: denial });
      },
    });
    const { answer } = await post(webhook, review());
    assert.equal(answer.status.code, 403);
    assert.match(answer.status.message, /not yours/);
  });

  it("warns, whether it allows or not", async () => {
    const webhook = validating({
      create(_, context) {
        context.warn("spec.paused is deprecated");
        throw forbiddenError({ group: "", resource: "clusters" }, "prod", "no");
      },
    });
    const { answer } = await post(webhook, review());
    assert.deepEqual(answer.warnings, ["spec.paused is deprecated"]);
    assert.equal(answer.allowed, false);
  });

  it("denies without a word of what only the log may know, where it throws by mistake", async () => {
    const webhook = validating({
      create() {
        throw new TypeError("password=hunter2 is not iterable");
      },
    });
    const { answer, text, panics, logger } = await post(webhook, review());
    assert.equal(answer.allowed, false);
    assert.equal(answer.uid, "1234");
    assert.equal(answer.status.code, 500);
    assert.equal(answer.status.reason, "InternalError");
    assert.doesNotMatch(text, /hunter2/);
    assert.equal(panics, 1);
    assert.match(String(logger.lines.find(({ level }) => level === "error")?.error), /hunter2/);
  });

  it("refuses a request without the object that it is about", async () => {
    const webhook = validating({ create() {}, delete() {} });
    for (const operation of ["CREATE", "DELETE"]) {
      const { answer } = await post(webhook, review({ operation, object: null }));
      assert.equal(answer.allowed, false);
      assert.equal(answer.status.code, 400);
    }
  });

  it("refuses an operation that it does not know", async () => {
    const { answer } = await post(allowing, review({ operation: "BLESS" }));
    assert.equal(answer.status.code, 400);
    assert.equal(answer.status.message, 'unknown operation "BLESS"');
  });
});

describe("what is no review is answered by HTTP", () => {
  const rows: Record<string, [body: unknown, question: Question, status: number, text: RegExp]> = {
    "another method": [review(), { method: "GET" }, 405, /expected POST, got GET/],
    "another content type": [
      review(),
      { contentType: "text/plain" },
      415,
      /contentType=text\/plain, expected application\/json/,
    ],
    "no body": [undefined, { body: "" }, 400, /request body is empty/],
    "no JSON": [undefined, { body: "{" }, 400, /not JSON/],
    "no object": [[1], {}, 400, /not a JSON object/],
    "another kind": [{ ...review(), kind: "ConversionReview" }, {}, 400, /got admission\.k8s\.io/],
    "an older version": [
      { ...review(), apiVersion: "admission.k8s.io/v1beta1" },
      {},
      400,
      /expected admission\.k8s\.io\/v1 AdmissionReview, got admission\.k8s\.io\/v1beta1/,
    ],
    "no request": [{ ...review(), request: null }, {}, 400, /no request/],
    "no uid": [review({ uid: "" }), {}, 400, /no uid/],
    "more than two objects can be": [
      undefined,
      { body: " ".repeat(7 * 1024 * 1024 + 1) },
      413,
      /limit is 7340032 bytes/,
    ],
  };
  for (const [name, [body, question, status, text]] of Object.entries(rows)) {
    it(name, async () => {
      const answer = await post(allowing, body, question);
      assert.equal(answer.status, status);
      assert.match(answer.text, text);
    });
  }

  it("a charset in the content type does not matter", async () => {
    const contentType = "application/json; charset=utf-8";
    assert.equal((await post(allowing, review(), { contentType })).status, 200);
  });
});

describe("a mutating webhook", () => {
  const patchOf = (text: string) => JSON.parse(Buffer.from(text, "base64").toString());

  it("answers with the patch that makes the object what it should be", async () => {
    const webhook = mutatingWebhook<KubeObject>(kind, (object) => ({
      ...object,
      metadata: { ...object.metadata, labels: { "a/b": "c" } },
      spec: { paused: true },
    }));
    const { answer } = await post(webhook, review());
    assert.equal(answer.allowed, true);
    assert.equal(answer.patchType, "JSONPatch");
    assert.deepEqual(applyJsonPatch(cluster, patchOf(answer.patch)), {
      ...cluster,
      metadata: { ...cluster.metadata, labels: { "a/b": "c" } },
      spec: { paused: true },
    });
  });

  it("answers without one where nothing changes", async () => {
    const { answer } = await post(
      mutatingWebhook(kind, (object) => ({ ...object, status: undefined })),
      review(),
    );
    assert.deepEqual(answer, { uid: "1234", allowed: true });
  });

  it("leaves alone what is deleted", async () => {
    const webhook = mutatingWebhook(kind, () => assert.fail("called"));
    const request = { operation: "DELETE", object: null, oldObject: cluster };
    assert.equal((await post(webhook, review(request))).answer.allowed, true);
  });

  it("may deny as well", async () => {
    const webhook = mutatingWebhook(kind, () => {
      throw forbiddenError({ group: "", resource: "clusters" }, "prod", "no");
    });
    const { answer } = await post(webhook, review());
    assert.equal(answer.status.code, 403);
    assert.equal(answer.patch, undefined);
  });
});
