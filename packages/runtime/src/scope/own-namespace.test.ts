import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { detectOwnNamespace, serviceAccountNamespaceFile } from "./own-namespace.ts";

const missing = () => Promise.reject(Object.assign(new Error("no such file"), { code: "ENOENT" }));

describe("the own namespace", () => {
  it("is what POD_NAMESPACE says", async () => {
    const env = { POD_NAMESPACE: "capi1-system" };
    assert.equal(await detectOwnNamespace({ env, readFile: missing }), "capi1-system");
  });

  it("is that of the service account where POD_NAMESPACE is not set", async () => {
    const readFile = async (path: string) =>
      path === serviceAccountNamespaceFile ? "capi2-system\n" : "";
    assert.equal(await detectOwnNamespace({ env: {}, readFile }), "capi2-system");
    assert.equal(
      await detectOwnNamespace({ env: { POD_NAMESPACE: "" }, readFile }),
      "capi2-system",
    );
  });

  it("is not known outside of a cluster", async () => {
    assert.equal(await detectOwnNamespace({ env: {}, readFile: missing }), undefined);
  });

  it("is an error where the file cannot be read", async () => {
    const readFile = () => Promise.reject(new Error("permission denied"));
    await assert.rejects(detectOwnNamespace({ env: {}, readFile }), /permission denied/);
  });
});
