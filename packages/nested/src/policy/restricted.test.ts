import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import { restrictedContainer, restrictedPod } from "@rookery/kube";
import { violationOf } from "./restricted.ts";

const good = { name: "etcd", image: "i", securityContext: restrictedContainer };
const template = (spec: object = {}) => ({
  metadata: {},
  spec: { securityContext: restrictedPod, containers: [good], ...spec },
});

test("pods that keep to the standard pass", () => {
  const volumes = [
    { name: "a", secret: {} },
    { name: "b", emptyDir: {} },
  ];
  assert.equal(violationOf(template({ volumes })), undefined);
});

/** The rows of the standard itself are compared with a real API server where admission is tested. */
describe("what no server has judged yet is judged as one would read it", () => {
  const rows: Record<string, object> = {
    "a null where the standard asks for a word": template({
      containers: [good, { ...good, name: "b", securityContext: { runAsNonRoot: null } }],
    }),
    "a null instead of the pod's own context": template({ securityContext: null }),
    "a volume with two sources": template({
      volumes: [{ name: "v", emptyDir: {}, hostPath: { path: "/" } }],
    }),
    "another system, of which the standard asks less": template({ os: { name: "windows" } }),
    "containers that are no list": template({ containers: { name: "x" } }),
    "a container of each kind": template({ initContainers: [{ name: "first" }] }),
    "one for a while": template({ ephemeralContainers: [{ name: "debug" }] }),
    "the host of a probe": template({
      containers: [{ ...good, livenessProbe: { httpGet: { host: "10.0.0.1", port: 80 } } }],
    }),
  };
  for (const [name, row] of Object.entries(rows)) {
    it(name, () => assert.notEqual(violationOf(row), undefined));
  }
});
