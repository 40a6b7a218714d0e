import assert from "node:assert/strict";
import { test } from "node:test";
import { isContractCompatible, versionChange } from "./contracts.ts";

test("equal contracts fit", () => {
  assert.ok(isContractCompatible({ core: "v1beta2", provider: "v1beta2" }));
  assert.ok(isContractCompatible({ core: "v1beta1", provider: "v1beta1" }, "Compatible"));
});

test("an older contract fits only where compatibility is asked for", () => {
  const contracts = { core: "v1beta2", provider: "v1beta1" };
  assert.equal(isContractCompatible(contracts), false);
  assert.equal(isContractCompatible(contracts, "Compatible"), true);
});

test("a newer contract than the core's never fits", () => {
  const contracts = { core: "v1beta1", provider: "v1beta2" };
  assert.equal(isContractCompatible(contracts, "Compatible"), false);
});

test("a contract that is no longer served never fits", () => {
  assert.equal(
    isContractCompatible({ core: "v1beta2", provider: "v1alpha4" }, "Compatible"),
    false,
  );
  assert.equal(isContractCompatible({ core: "toString", provider: "x" }, "Compatible"), false);
});

test("versions go up, back within a minor version, down, or stay", () => {
  assert.equal(versionChange("v1.13.6", "v1.14.2"), "upgrade");
  assert.equal(versionChange("v1.9.0", "v1.10.0-rc.0"), "upgrade");
  assert.equal(versionChange("v1.14.2", "v1.14.2-rc.0"), "revert");
  assert.equal(versionChange("v1.14.2", "v1.14.1"), "revert");
  assert.equal(versionChange("v1.14.2", "v1.13.6"), "downgrade");
  assert.equal(versionChange("v1.14.2", "v1.14.2+build"), "none");
  assert.throws(() => versionChange("v1.14.2", "latest"), { code: "InvalidVersion" });
});
