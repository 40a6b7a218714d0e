import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { leadsTo } from "./users.ts";

const webhook = { name: "webhook", namespace: "extension-system" };
const rows: Readonly<Record<string, readonly [object, boolean]>> = {
  "by its name": [{ service: webhook }, true],
  "by its name in the cluster's DNS": [
    { url: "https://webhook.extension-system.svc.cluster.local:443/x" },
    true,
  ],
  "by its short name in the cluster's DNS": [{ url: "https://webhook.extension-system" }, true],
  "not by the name of another": [{ service: { ...webhook, name: "web" } }, false],
  "not where it lives elsewhere": [{ service: { ...webhook, namespace: "other" } }, false],
  "not by a host that begins alike": [{ url: "https://webhook.extension-system2.svc" }, false],
  "not by what is no URL": [{ url: "webhook" }, false],
};

describe("an ExtensionConfig leads to a Service", () => {
  for (const [how, [clientConfig, expected]] of Object.entries(rows)) {
    it(how, () => {
      const extension = { apiVersion: "v1", kind: "ExtensionConfig", metadata: {} };
      assert.equal(leadsTo({ ...extension, spec: { clientConfig } }, webhook), expected);
    });
  }
});
