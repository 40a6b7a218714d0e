import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { vsphereClusterIdentity } from "../../src/kinds/vsphere/cluster-identity.ts";
import { createObjectReader } from "./object-reader.ts";
import { sampler } from "./sampler.ts";

const read = await createObjectReader(sampler, "v1");
const object = (spec: object) => ({
  apiVersion: "sampler.rookery.dev/v1",
  kind: "Sampler",
  metadata: { name: "a" },
  spec,
});

describe("reading an object of a declared kind", () => {
  test("fills in defaults, at every depth, and leaves the input alone", () => {
    const input = object({ text: "a", containers: [{ name: "a" }] });
    const before = structuredClone(input);
    const result = read(input);
    assert.ok(result.valid);
    const { mode, count, limits, containers } = result.object.spec;
    assert.deepEqual({ mode, count, limits }, { mode: "full", count: 3, limits: { cpu: 1 } });
    assert.equal(containers?.[0]?.protocol, "TCP");
    assert.deepEqual(input, before);
  });

  test("drops fields that the kind does not have, and names them", () => {
    const result = read(object({ text: "a", limits: { cpu: 2, gpu: 1 }, values: { kept: true } }));
    assert.ok(result.valid);
    assert.deepEqual(result.unknownFields, ["spec.limits.gpu"]);
    assert.deepEqual(result.object.spec.limits, { cpu: 2 });
    assert.deepEqual(result.object.spec.values, { kept: true });
  });

  test("says what is wrong in the words of the API server", () => {
    const result = read(object({ text: "a", count: 7 }));
    assert.ok(!result.valid);
    assert.deepEqual(result.errors.map(String), [
      'spec: Invalid value: "object": a full one has a count of at most 5',
    ]);
  });

  test("compares an update with what it replaces", () => {
    const old = object({ text: "a" });
    assert.ok(read(object({ text: "a" }), { old }).valid);
    const changed = read(object({ text: "b" }), { old });
    assert.ok(!changed.valid);
    assert.deepEqual(changed.errors.map(String), ["spec: Forbidden: text is immutable"]);
  });

  test("takes exactly one Secret for a VSphereClusterIdentity", async () => {
    const readIdentity = await createObjectReader(vsphereClusterIdentity, "v1beta1");
    const identity = (spec: object) => ({
      apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
      kind: "VSphereClusterIdentity",
      metadata: { name: "account" },
      spec,
    });
    assert.ok(readIdentity(identity({ secretName: "a" })).valid);
    assert.ok(readIdentity(identity({ secretRef: { name: "a" } })).valid);
    for (const spec of [{}, { secretName: "a", secretRef: { name: "a" } }]) {
      const result = readIdentity(identity(spec));
      assert.ok(!result.valid);
      assert.match(String(result.errors[0]), /exactly one of secretRef and secretName must be set/);
    }
  });
});
