import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { patchSchemaOf } from "@rookery/kube";
import { covers } from "./covers.ts";

const containers = (...list: object[]) => ({ spec: { template: { spec: { containers: list } } } });

describe("an object covers a rendering", () => {
  const rows: Record<string, [live: object, rendered: object, expected: boolean]> = {
    "that it is": [{ spec: { replicas: 3 } }, { spec: { replicas: 3 } }, true],
    "with more than that": [
      { spec: { replicas: 3, paused: true } },
      { spec: { replicas: 3 } },
      true,
    ],
    "unless a value is another": [{ spec: { replicas: 2 } }, { spec: { replicas: 3 } }, false],
    "unless a value is not there": [{ spec: {} }, { spec: { replicas: 3 } }, false],
    "unless false has become true": [
      containers({ name: "a", securityContext: { allowPrivilegeEscalation: true } }),
      containers({ name: "a", securityContext: { allowPrivilegeEscalation: false } }),
      false,
    ],
    "unless false was taken away": [
      containers({ name: "a", securityContext: {} }),
      containers({ name: "a", securityContext: { allowPrivilegeEscalation: false } }),
      false,
    ],
    "with quantities in another form": [
      containers({ name: "a", resources: { requests: { cpu: "500m" } } }),
      containers({ name: "a", resources: { requests: { cpu: "0.5" } } }),
      true,
    ],
    "without what is empty": [
      containers({ name: "a" }),
      containers({ name: "a", env: [], resources: {}, workingDir: "" }),
      true,
    ],
    "with other items beside its own, in any order": [
      containers({ name: "sidecar" }, { name: "a", image: "1" }),
      containers({ name: "a", image: "1" }),
      true,
    ],
    "unless an item is missing": [containers({ name: "b" }), containers({ name: "a" }), false],
    "unless an argument was added": [
      containers({ name: "a", args: ["--x", "--y"] }),
      containers({ name: "a", args: ["--x"] }),
      false,
    ],
    "unless arguments are in another order": [
      containers({ name: "a", args: ["--y", "--x"] }),
      containers({ name: "a", args: ["--x", "--y"] }),
      false,
    ],
    "unless a list has become something else": [
      containers({ name: "a", args: "--x" }),
      containers({ name: "a", args: ["--x"] }),
      false,
    ],
  };
  for (const [name, [live, rendered, expected]] of Object.entries(rows)) {
    it(name, () => assert.equal(covers(live, rendered, patchSchemaOf("Deployment")), expected));
  }
});
