import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type FieldError, groupVersionResourceOf, resourcePath } from "@rookery/kube";
import { type Kubernetes, startKubernetes, waitFor } from "@rookery/testing";
import { resourceOf } from "../../src/declaration/kind.ts";
import { customResourceDefinitionOf } from "../../src/declaration/render.ts";
import { createObjectReader } from "./object-reader.ts";
import { sampler } from "./sampler.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const definition = customResourceDefinitionOf(sampler);
const samplers = resourcePath(groupVersionResourceOf(resourceOf(sampler, "v1")), {
  namespace: "default",
});

const read = await createObjectReader(sampler, "v1");

const object = (spec: unknown, name = "a") => ({
  apiVersion: "sampler.rookery.dev/v1",
  kind: "Sampler",
  metadata: { name },
  spec,
});

const good: Record<string, object> = {
  "as little as can be": { text: "a" },
  "defaults in a list": { text: "a", containers: [{ name: "a" }, { name: "a", protocol: "UDP" }] },
  "nulls where there are defaults": { text: "a", mode: null, note: null, limits: null, tags: null },
  "unknown fields": { text: "a", color: "red", limits: { gpu: 1 }, values: { any: [null] } },
  everything: {
    text: "a",
    mode: "linked",
    count: 9,
    ratio: 0.5,
    enabled: false,
    memory: 2,
    timeout: "100ms",
    since: "2030-01-01T00:00:00Z",
    tags: ["a", "b"],
    sizes: [1],
    containers: [{ name: "a", port: "http" }],
    args: { "a/b.c": "x" },
    anything: [{ a: null }],
    manifest: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { a: "b" } },
    template: { metadata: { labels: { a: "b" } } },
    selector: { matchLabels: { a: "b" } },
    localRef: { name: "a" },
    secretRef: { name: "a", namespace: "b" },
    objectRef: { apiVersion: "v1", kind: "ConfigMap", name: "a" },
  },
};

const bad: Record<string, object> = {
  "a required field missing": {},
  "a rule broken": { text: "a", count: 7 },
  "wrong types everywhere": {
    text: 1,
    count: "3",
    enabled: "yes",
    memory: true,
    limits: 3,
    tags: "a",
    args: { a: 1 },
    note: 5,
  },
  "wrong values everywhere": {
    text: "A",
    mode: "half",
    count: 10,
    ratio: 0,
    memory: "1gi",
    timeout: "1d",
    since: "yesterday",
    sizes: [],
    localRef: { name: "" },
  },
  "too much of everything": {
    text: "a".repeat(21),
    tags: ["a", "b", "c", "abcdefghijk"],
    args: { a: "1", b: "2", c: "abcdefghijk" },
  },
  duplicates: {
    text: "a",
    tags: ["a", "a"],
    containers: [{ name: "a" }, { name: "a", protocol: "TCP" }],
  },
  "embedded objects that are none": { text: "a", manifest: { metadata: { name: "A_" } } },
  "references that are not whole": { text: "a", objectRef: { name: "a" }, secretRef: {} },
};

describe("a kind with every word there is, on a Kubernetes", () => {
  let kubernetes: Kubernetes;
  const create = (body: object) => kubernetes.request("POST", `${samplers}?dryRun=All`, { body });
  before(async () => {
    kubernetes = await startKubernetes();
    await kubernetes.applyCrd(definition);
  });
  after(async () => {
    await kubernetes.request("DELETE", `${definitions}/${definition.metadata.name}`);
    await kubernetes[Symbol.asyncDispose]();
  });

  test("is accepted without a warning and structural", async () => {
    const path = `${definitions}/${definition.metadata.name}`;
    // The API server writes into it, too, once it is established.
    const { stored, status, headers } = await waitFor(
      async () => {
        const { body: stored } = await kubernetes.request("GET", path);
        const body = { ...stored, ...definition, metadata: stored.metadata };
        const strictly = `${path}?fieldValidation=Strict`;
        const answer = await kubernetes.request("PUT", strictly, { body });
        return answer.status === 409 ? undefined : { stored, ...answer };
      },
      { what: "an update that nobody else came before" },
    );
    assert.equal(status, 200);
    assert.equal(headers.warning, undefined);
    const types = stored.status.conditions.map(({ type }: { type: string }) => type);
    assert.deepEqual(types.sort(), ["Established", "NamesAccepted"]);
  });

  for (const [what, spec] of Object.entries(good)) {
    test(`is stored with ${what} as we would store it`, async () => {
      const { status, body, headers } = await create(object(spec));
      assert.equal(status, 201, JSON.stringify(body));
      const ours = read(object(spec));
      assert.ok(ours.valid);
      assert.deepEqual(body.spec, ours.object.spec);
      const warnings = ours.unknownFields.map((field) => `299 - "unknown field \\"${field}\\""`);
      assert.deepEqual([headers.warning ?? []].flat(), warnings);
    });
  }

  for (const [what, spec] of Object.entries(bad)) {
    test(`is refused with ${what} for the reasons that we would give`, async () => {
      const { status, body } = await create(object(spec));
      assert.equal(status, 422, JSON.stringify(body));
      const ours = read(object(spec));
      assert.ok(!ours.valid);
      assert.deepEqual(ours.errors.map(causeOf).sort(byField), causesOf(body));
    });
  }

  test("is compared with what it replaces, as we would do it", async () => {
    await using namespace = await kubernetes.createNamespace("sampler");
    const path = samplers.replace("/default/", `/${namespace.name}/`);
    const created = await kubernetes.request("POST", path, { body: object({ text: "a" }) });
    const update = { ...created.body, spec: { ...created.body.spec, text: "b" } };
    const { status, body } = await kubernetes.request("PUT", `${path}/a`, { body: update });
    assert.equal(status, 422, JSON.stringify(body));
    const ours = read(update, { old: created.body });
    assert.ok(!ours.valid);
    assert.deepEqual(ours.errors.map(causeOf), causesOf(body));
  });

  test("is refused by a rule over its metadata", async () => {
    const forbidden = object({ text: "a" }, "forbidden");
    const { body } = await create(forbidden);
    const ours = read(forbidden);
    assert.ok(!ours.valid);
    assert.deepEqual(ours.errors.map(causeOf), causesOf(body));
  });

  test("warns where a version is deprecated", async () => {
    const path = samplers.replace("/v1/", "/v1alpha1/");
    const { headers } = await kubernetes.request("GET", path);
    assert.match(String(headers.warning), /v1alpha1 Sampler is deprecated; use v1/);
  });
});

interface Cause {
  readonly reason: string;
  readonly field: string;
  readonly message: string;
}

function causeOf({ type, field, body }: FieldError): Cause {
  return { reason: type, field, message: body };
}

/** Sorted: the API server has no order of its own. */
function causesOf(status: { details: { causes: Cause[] } }): Cause[] {
  return status.details.causes.sort(byField);
}

function byField(left: Cause, right: Cause): number {
  return JSON.stringify([left.field, left.message]) < JSON.stringify([right.field, right.message])
    ? -1
    : 1;
}
