import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { VSphereClusterIdentity } from "@rookery/api";
import { isForbidden } from "@rookery/kube";
import { apiVersion, asked } from "../../test/webhooks/admission.ts";
import { refuseManagers } from "./instance-writes.ts";

const before: VSphereClusterIdentity = {
  apiVersion,
  kind: "VSphereClusterIdentity",
  metadata: { name: "shared", labels: { a: "b" }, finalizers: ["one"] },
  spec: { secretName: "s", allowedNamespaces: { list: ["team"] }, allowedServers: ["vc"] },
};
const metadata = (changes: object) => ({ metadata: { ...before.metadata, ...changes } });
const spec = (changes: object) => ({ spec: { ...before.spec, ...changes } });
const manager = "system:serviceaccount:tenant-capv-system:capv-controller-manager";

function write(username: string, changes: Partial<VSphereClusterIdentity>): void {
  const context = asked();
  const request = { ...context.request, userInfo: { username } };
  refuseManagers({ ...before, ...changes }, before, { ...context, request });
}

describe("the manager of an instance may not", () => {
  const table: Record<string, Partial<VSphereClusterIdentity>> = {
    "open an identity to other namespaces": spec({ allowedNamespaces: {} }),
    "send its password to another server": spec({ allowedServers: ["evil"] }),
    "let it name another Secret": spec({ secretName: "mine" }),
    "label it": metadata({ labels: {} }),
    "give it an owner, with which it would go": metadata({
      ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "a", uid: "a" }],
    }),
  };
  for (const [what, changes] of Object.entries(table)) {
    it(what, () => assert.throws(() => write(manager, changes), isForbidden));
  }
});

describe("an identity is changed by", () => {
  it("the manager, as far as its users and what is kept of it are concerned", () => {
    write(manager, metadata({ finalizers: ["one", "two"], resourceVersion: "2", generation: 3 }));
  });
  it("administrators, and accounts of others", () => {
    write("admin", spec({ allowedNamespaces: {} }));
    write("system:serviceaccount:argo:argo", spec({ allowedNamespaces: {} }));
  });
});
