import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import type { Release } from "./install-state.ts";
import { packRelease, unpackRelease } from "./release-archive.ts";

const releaseOf = (components: string): Release => ({
  reference: { id: "a", version: "v1.0.0", contract: "v1beta2", intent: "b" },
  source: { components, metadata: "" },
  components: [],
});

test("a release comes out as it went in, also where it needs several Secrets", () => {
  const release = releaseOf(randomBytes(1_500_000).toString("base64"));
  const parts = packRelease(release);
  assert.ok(parts.length > 1);
  assert.ok(parts.every(({ length }) => length < 1024 * 1024));
  assert.deepEqual(unpackRelease(parts), release);
});

test("whatever text a release holds, nothing of it gets lost", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (components) => {
      const release = releaseOf(components);
      assert.deepEqual(unpackRelease(packRelease(release)), release);
    }),
  );
});

test("a components file of 3 MB fits into one Secret, because YAML repeats itself", () => {
  const line = "  description: Spec defines the desired state of the object.\n";
  assert.equal(packRelease(releaseOf(line.repeat(50_000))).length, 1);
});
