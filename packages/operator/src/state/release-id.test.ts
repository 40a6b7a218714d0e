import assert from "node:assert/strict";
import { test } from "node:test";
import type { Provider } from "@rookery/api";
import { intentOf } from "./release-id.ts";

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
