import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import type { Release } from "./install-state.ts";
import { packRelease, unpackRelease } from "./release-archive.ts";

const releaseOf = (components: string): Release => ({
  reference: { id: "a", version: "v1.0.0", contract: "v1beta2", intent: "b" },
  source: { components, metadata: "" },
  components: ["one", "two"].map((name) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name },
    data: { components },
  })),
});

test("a release comes out as it went in, also where it needs several Secrets", async () => {
  const release = releaseOf(randomBytes(600_000).toString("base64"));
  const parts = await packRelease(release);
  assert.ok(parts.length > 1);
  assert.ok(parts.every(({ length }) => length < 1024 * 1024));
  assert.deepEqual(await unpackRelease(parts), release);
});

test("whatever text a release holds, nothing of it gets lost", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), async (components) => {
      const release = releaseOf(components);
      assert.deepEqual(await unpackRelease(await packRelease(release)), release);
    }),
  );
});

test("one without components comes out, too", async () => {
  const release = { ...releaseOf(""), components: [] };
  assert.deepEqual(await unpackRelease(await packRelease(release)), release);
});

test("a components file of 3 MB fits into one Secret, because YAML repeats itself", async () => {
  const line = "  description: Spec defines the desired state of the object.\n";
  assert.equal((await packRelease(releaseOf(line.repeat(50_000)))).length, 1);
});
