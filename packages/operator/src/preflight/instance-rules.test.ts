import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { instance } from "../../test/instances/family.ts";
import { becoming, installed, notReady, withSpec } from "../../test/preflight/provider-views.ts";
import { only } from "../identity/namespace-set.ts";
import { familyOf } from "../instances/family.ts";
import type { ProviderView } from "../state/provider-view.ts";
import { checkClaims, checkFirst, checkImages, checkSkew } from "./instance-rules.ts";

const a = { namespaces: ["a", "b"] };
const b = { namespaces: ["b", "c"] };
const c = { namespaces: ["c"] };
const v1 = withSpec({ version: "v1.0.0" });
const v2 = withSpec({ version: "v2.0.0" });
const watching =
  (...names: readonly string[]) =>
  (view: ProviderView): ProviderView => ({ ...view, watching: only(names) });
const running =
  (...images: readonly string[]) =>
  (view: ProviderView): ProviderView => ({ ...view, images });
const image = (name: string) =>
  withSpec({ deployment: { containers: [{ name: "manager", image: name }] } });

interface Row {
  readonly self: ProviderView;
  readonly other: ProviderView;
  readonly refused?: string;
  readonly saying?: RegExp;
}

type Check = (family: ReturnType<typeof familyOf>) => void;

function rows(check: Check, table: Readonly<Record<string, Row>>): void {
  for (const [sentence, { self, other, refused, saying }] of Object.entries(table)) {
    it(sentence, () => {
      const run = () => check(familyOf(self, [other]));
      if (refused === undefined) return run();
      assert.throws(run, (error: Error & { reason?: string }) => {
        assert.equal(error.reason, refused);
        assert.match(error.message, saying ?? /./);
        return true;
      });
    });
  }
}

describe("namespaces that two instances claim", () => {
  rows(checkClaims, {
    "are refused to who does not have them, by name": {
      self: instance("capi2-system", b, watching("c")),
      other: instance("capi1-system", a, installed("v1.0.0"), watching("a", "b")),
      refused: "NamespaceClash",
      saying: /namespace b to CoreProvider capi2-system\/cluster-api: CoreProvider capi1-system\//,
    },
    "stay with who has them": {
      self: instance("capi1-system", a, installed("v1.0.0"), watching("a", "b")),
      other: instance("capi2-system", b),
    },
    "are the elder's where none has begun": {
      self: instance("capi1-system", a),
      other: instance("capi2-system", b),
    },
    "are not the younger's where none has begun": {
      self: instance("capi2-system", b),
      other: instance("capi1-system", a),
      refused: "NamespaceClash",
    },
    "are not taken by who is installed without them": {
      self: instance("capi1-system", a, installed("v1.0.0"), watching("a")),
      other: instance("capi2-system", b),
      refused: "NamespaceClash",
    },
    "are no matter of instances that claim others": {
      self: instance("capi1-system", a),
      other: instance("capi2-system", c),
    },
  });
});

describe("instances that are to be the same", () => {
  rows(checkSkew, {
    "may name one version": { self: instance("capi1", a, v1), other: instance("capi2", c, v1) },
    "may not name two": {
      self: instance("capi1-system", a, v2),
      other: instance("capi2-system", c, v1),
      refused: "VersionSkew",
      saying:
        /capi1-system\/cluster-api to v2\.0\.0: CoreProvider capi2-system\/cluster-api names v1\.0\.0/,
    },
    "may leave the version to the first": {
      self: instance("capi2-system", c),
      other: instance("capi1-system", a, v1),
    },
    "may not name two images": {
      self: instance("capi1-system", a, v1, image("example.com/one:v1")),
      other: instance("capi2-system", c, v1),
      refused: "ImageSkew",
    },
  });
});

describe("the first goes ahead", () => {
  const first = instance("capi1-system", a, v2, installed("v2.0.0"));
  rows(checkFirst, {
    "by itself": { self: instance("capi1-system", a, v2), other: instance("capi2-system", c, v2) },
    "and the other follows when it is ready": {
      self: instance("capi2-system", c, v2, installed("v1.0.0")),
      other: first,
    },
    "and the other waits while it has the old version": {
      self: instance("capi2-system", c, v2, installed("v1.0.0")),
      other: instance("capi1-system", a, v2, installed("v1.0.0")),
      refused: "WaitingForFirst",
      saying: /capi1-system\/cluster-api, the first instance, has v1\.0\.0/,
    },
    "and the other waits while it is not ready": {
      self: instance("capi2-system", c, v2),
      other: notReady()(first),
      refused: "WaitingForFirst",
      saying: /has v2\.0\.0 and is not ready/,
    },
    "and the other waits while it is being changed": {
      self: instance("capi2-system", c, v2),
      other: becoming({ version: "v2.0.0", contract: "v1beta2" })(first),
      refused: "WaitingForFirst",
    },
    "and is not waited for where the version stays": {
      self: instance("capi2-system", c, v1, installed("v1.0.0")),
      other: instance("capi1-system", a, v1, installed("v1.0.0"), notReady()),
    },
  });
});

describe("rendered images", () => {
  const check: Check = (family) => checkImages(family, ["example.com/manager:v1"]);
  const first = instance("capi1-system", a, installed("v1.0.0"));
  rows(check, {
    "are those of the first": {
      self: instance("capi2-system", c),
      other: running("example.com/manager:v1")(first),
    },
    "of another source are refused": {
      self: instance("capi2-system", c),
      other: running("mirror.example.com/manager:v1")(first),
      refused: "ImageSkew",
      saying: /would run example\.com\/manager:v1, and the first instance runs mirror/,
    },
    "of the first are its own": {
      self: running("example.com/manager:v0")(first),
      other: instance("capi2-system", c),
    },
  });
});
