import assert from "node:assert/strict";
import { test } from "node:test";
import { ComponentError } from "../errors.ts";
import { desiredVersion } from "./channels.ts";
import { imageOf } from "./images.ts";
import { isSameVersion, parseVersion } from "./skew.ts";

test("a version is written as its image has it, whether the spec has a v or not", () => {
  assert.equal(desiredVersion("etcd", { version: "v3.6.8" }), "3.6.8");
  assert.equal(desiredVersion("etcd", { version: "3.6.8" }), "3.6.8");
  assert.equal(desiredVersion("apiserver", { version: "1.34.4" }), "v1.34.4");
  assert.equal(desiredVersion("controller-manager", { version: "v1.34.4" }), "v1.34.4");
});

test("the channel names the version where there is none, stable where there is no channel", () => {
  assert.equal(desiredVersion("apiserver", {}), desiredVersion("apiserver", { channel: "stable" }));
  assert.equal(desiredVersion("etcd", { channel: "1.33" }), "3.6.8");
  assert.equal(desiredVersion("apiserver", { channel: "1.33" }), "v1.33.13");
  assert.equal(desiredVersion("apiserver", { channel: "1.33", version: "v1.34.1" }), "v1.34.1");
});

test("a channel that there is not is refused with those that there are", () => {
  for (const channel of ["nightly", "toString", "__proto__"]) {
    assert.throws(
      () => desiredVersion("etcd", { channel }),
      (error) =>
        error instanceof ComponentError &&
        error.reason === "UnknownChannel" &&
        /one of stable, .*or spec\.version/.test(error.message),
    );
  }
});

test("images are Kubernetes' own, from any repository", () => {
  assert.equal(imageOf("etcd", "3.6.8", "registry.k8s.io"), "registry.k8s.io/etcd:3.6.8-0");
  assert.equal(
    imageOf("apiserver", "v1.34.4", "mirror.example/k8s"),
    "mirror.example/k8s/kube-apiserver:v1.34.4",
  );
  assert.equal(
    imageOf("controller-manager", "v1.34.4+own", "r"),
    "r/kube-controller-manager:v1.34.4_own",
  );
});

test("versions are read with their pre-release and without their build", () => {
  assert.deepEqual(parseVersion("v1.34.0-rc.1+abc"), {
    major: 1,
    minor: 34,
    patch: 0,
    prerelease: "rc.1",
  });
  assert.equal(parseVersion("1.34"), undefined);
  assert.equal(parseVersion(""), undefined);
  assert.equal(isSameVersion("v1.34.4", "1.34.4"), true);
  assert.equal(isSameVersion(undefined, undefined), false);
});
