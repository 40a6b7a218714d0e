import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import type { Provider } from "@rookery/api";
import fc from "fast-check";
import type { Release } from "./install-state.ts";
import { intentOf, packRelease, unpackRelease } from "./release.ts";

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

type Spec = NonNullable<Provider["spec"]>;

const before: Spec = { version: "v1.0.0", secretName: "a", manager: { verbosity: 1 } };
const isNew = (change: Partial<Spec>) =>
  intentOf({ spec: before }) !== intentOf({ spec: { ...before, ...change } });

const changes: Readonly<Record<string, readonly [Partial<Spec>, boolean]>> = {
  "another version is another intent": [{ version: "v1.0.1" }, true],
  "another Secret is another intent": [{ secretName: "b" }, true],
  "a flag of the manager is another intent": [{ manager: { verbosity: 2 } }, true],
  "a property of the Deployment is another intent": [{ deployment: { replicas: 2 } }, true],
  "more manifests are another intent": [{ additionalManifests: { name: "more" } }, true],
  "to fetch again is another intent": [{ fetchRevision: "2" }, true],
  "a patch is another intent": [{ patches: [{ patch: "kind: Service" }] }, true],
  "an API group of its own is another intent": [{ apiGroupSuffix: "a.example.com" }, true],
  "another source alone is the same": [{ fetchConfig: { url: "https://example.com/a" } }, false],
  "a pause is the same": [{ paused: true }, false],
  "other namespaces are the same": [{ watch: { namespaces: ["a"] } }, false],
  "policies are the same": [
    {
      upgradePolicy: { onFailure: "Stay" },
      deletionPolicy: { customResourceDefinitions: "Delete", namespace: "Keep" },
      contractPolicy: "Compatible",
    },
    false,
  ],
};

for (const [name, [change, expected]] of Object.entries(changes)) {
  test(name, () => assert.equal(isNew(change), expected));
}
