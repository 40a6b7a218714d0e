import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { encodeEnvelope, type WireWriter } from "@rookery/kube";
import fc from "fast-check";
import {
  configMap,
  envelope,
  mapping,
  ownedBy,
  real,
  virtual,
  wire,
} from "../../test/protobuf/object.ts";
import { UnreadableBodyError } from "../errors.ts";
import { isGroupSuffixError } from "../group-suffix-error.ts";
import { createProtobufRenamer } from "./protobuf-renamer.ts";

const { rename, stream } = createProtobufRenamer({ mapping });

function assertSwaps(a: Uint8Array, b: Uint8Array, target?: Parameters<typeof rename>[1]): void {
  assert.deepEqual(Buffer.from(rename(a, target)), Buffer.from(b));
  assert.deepEqual(Buffer.from(rename(b, target)), Buffer.from(a));
}

describe("an object in Protobuf", () => {
  it("gets other owners, and the lengths of all that holds them", () => {
    for (const length of [1, 60, 100, 127, 128, 200, 16_300, 16_383, 70_000]) {
      const name = "n".repeat(length);
      assertSwaps(
        envelope("v1", "ConfigMap", ownedBy(`${virtual}/v1`, name)),
        envelope("v1", "ConfigMap", ownedBy(`${real}/v1`, name)),
      );
    }
  });

  it("is the very same array where nothing matches", () => {
    for (const owner of ["v1", "apps/v1", "example.com/v1", "x.prefixed-example.com/v1"]) {
      const body = configMap(owner);
      assert.equal(rename(body, undefined), body);
    }
  });

  it("keeps fields that are not known, in their places", () => {
    const unknown = (owner: string) =>
      envelope("v1", "ConfigMap", (object) => {
        object.varint(900, 7).string(901, `${virtual}/v1`);
        ownedBy(owner)(object);
        object.fixed64(15, 9n).fixed32(5, 9).string(2, virtual);
      });
    assertSwaps(unknown(`${virtual}/v1`), unknown(`${real}/v1`));
  });

  it("keeps groups, as Protobuf called what nobody uses any more", () => {
    // Field 7 begins a group, which holds a group and a varint.
    const group = Uint8Array.of(0x3b, 0x43, 0x08, 0x01, 0x44, 0x3c);
    const body = (owner: string) =>
      envelope("v1", "ConfigMap", (object) => ownedBy(owner)(object.raw(group)));
    assertSwaps(body(`${virtual}/v1`), body(`${real}/v1`));
  });

  it("keeps bytes that are no UTF-8 beside what is renamed", () => {
    const status = (group: string) =>
      envelope("v1", "Status", (object) =>
        object.bytes(3, Buffer.concat([Buffer.of(0xff, 0x20), Buffer.from(`x in ${group}`)])),
      );
    assertSwaps(status(virtual), status(real));
  });

  it("is renamed wherever metadata stands, more than once too", () => {
    const body = (owner: string) =>
      envelope("v1", "ConfigMap", (object) => {
        ownedBy(owner)(object);
        ownedBy(owner)(object);
      });
    assertSwaps(body(`${virtual}/v1`), body(`${real}/v1`));
  });

  it("that is options of the app has its group in the envelope alone", () => {
    assertSwaps(
      envelope(`${virtual}/v1`, "DeleteOptions", (options) => options.varint(1, 30)),
      envelope(`${real}/v1`, "DeleteOptions", (options) => options.varint(1, 30)),
    );
  });

  it("of a kind that nobody knows has metadata, and so have the items of its list", () => {
    const list = (owner: string) =>
      envelope("metrics.k8s.io/v1beta1", "PodMetricsList", (message) =>
        message.message(1, (meta) => meta.string(2, "1")).message(2, ownedBy(owner)),
      );
    assertSwaps(list(`${virtual}/v1`), list(`${real}/v1`));
  });

  it("comes in chunks and leaves at its end", () => {
    const body = configMap(`${virtual}/v1`);
    const renaming = stream(undefined);
    for (const byte of body) assert.deepEqual(renaming.push(Uint8Array.of(byte)), []);
    assert.deepEqual(Buffer.concat(renaming.end()), Buffer.from(configMap(`${real}/v1`)));
  });
});

describe("the stream of an object", () => {
  it("is refused where it is longer than 256 MiB, before it is kept", () => {
    const chunk = new Uint8Array(64 * 1024 * 1024);
    const renaming = stream(undefined);
    for (let i = 0; i < 4; i++) renaming.push(chunk);
    assert.throws(() => renaming.push(Uint8Array.of(0)), /longer than 268435456 bytes/);
  });
});

describe("the name of an object", () => {
  const named = (kind: string, name: string) =>
    envelope("meta.k8s.io/v1", kind, (object) =>
      kind.endsWith("List")
        ? object.message(2, (item) => item.message(1, (metadata) => metadata.string(1, name)))
        : object.message(1, (metadata) => metadata.string(1, name)),
    );

  for (const kind of ["PartialObjectMetadata", "PartialObjectMetadataList"]) {
    it(`is renamed in a ${kind} of CRDs and APIServices`, () => {
      const crds = {
        group: "apiextensions.k8s.io",
        version: "v1",
        resource: "customresourcedefinitions",
      };
      assertSwaps(named(kind, `crontabs.${virtual}`), named(kind, `crontabs.${real}`), crds);
      const services = { group: "apiregistration.k8s.io", version: "v1", resource: "apiservices" };
      assertSwaps(named(kind, `v1.${virtual}`), named(kind, `v1.${real}`), services);
    });

    it(`stays in a ${kind} of anything else`, () => {
      for (const target of [undefined, { group: "", version: "v1", resource: "configmaps" }]) {
        const body = named(kind, `crontabs.${virtual}`);
        assert.equal(rename(body, target), body);
      }
    });
  }

  it("is renamed in an owner that is a CRD, or else it would be taken for lost", () => {
    const body = (name: string) =>
      envelope("v1", "ConfigMap", (object) =>
        object.message(1, (metadata) =>
          metadata.message(13, (owner) =>
            owner
              .string(1, "CustomResourceDefinition")
              .string(3, name)
              .string(5, "apiextensions.k8s.io/v1"),
          ),
        ),
      );
    assertSwaps(body(`crontabs.${virtual}`), body(`crontabs.${real}`));
  });
});

describe("an envelope", () => {
  const typeMeta = { apiVersion: "v1", kind: "ConfigMap" };
  const owned = wire(ownedBy(`${virtual}/v1`));

  it("may say that it holds Protobuf", () => {
    const contentType = "application/vnd.kubernetes.protobuf";
    const body = encodeEnvelope({ typeMeta, raw: owned, contentType }).finish();
    assert.notEqual(rename(body, undefined), body);
  });

  it("may hold JSON", () => {
    const body = (group: string) => {
      const json = JSON.stringify({ apiVersion: `${group}/v1`, kind: "CronTab" });
      const raw = Buffer.from(json);
      return encodeEnvelope({ typeMeta, raw, contentType: "application/json" }).finish();
    };
    assertSwaps(body(virtual), body(real));
  });

  it("tells its kind last, if it likes", () => {
    const body = (owner: string) =>
      Buffer.concat([
        Buffer.from("k8s\0"),
        wire((message) =>
          message
            .bytes(
              2,
              wire((crd) => crd.message(2, (spec) => spec.string(1, owner))),
            )
            .message(1, (meta) => meta.string(2, "CustomResourceDefinition"))
            .message(1, (meta) => meta.string(1, "apiextensions.k8s.io/v1")),
        ),
      ]);
    assertSwaps(body(virtual), body(real));
  });

  it("may be the item of a list, in JSON as well", () => {
    const body = (owner: string) =>
      envelope("v1", "List", (list) => {
        list.message(2, (item) => item.bytes(1, configMap(owner)));
        const json = JSON.stringify({ apiVersion: owner, kind: "CronTab" });
        list.message(2, (item) => item.string(1, json));
        list.message(2, (item) => item.string(1, ""));
      });
    assertSwaps(body(`${virtual}/v1`), body(`${real}/v1`));
  });

  const refused: Readonly<Record<string, [Uint8Array, RegExp]>> = {
    "without the prefix": [Buffer.from("{}"), /does not begin as an object/],
    "that is empty": [new Uint8Array(), /does not begin as an object/],
    "without a kind": [envelope("v1", "", owned), /does not tell its kind/],
    "that is encoded once more": [
      encodeEnvelope({ typeMeta, raw: owned, contentEncoding: "gzip" }).finish(),
      /encoded once more/,
    ],
    "of another media type": [
      encodeEnvelope({ typeMeta, raw: owned, contentType: "application/cbor" }).finish(),
      /another media type/,
    ],
    "that says JSON and holds none": [
      encodeEnvelope({ typeMeta, raw: owned, contentType: "application/json" }).finish(),
      /JSON/,
    ],
    "of a review": [envelope("admission.k8s.io/v1", "AdmissionReview", owned), /sent as JSON/],
    "of a list whose item is neither": [
      envelope("v1", "List", (list) =>
        list.message(2, (item) => item.string(1, `{"a":"${virtual}`)),
      ),
      /ends too early/,
    ],
    "with envelopes in it without end": [nestedLists(20), /nested too deep/],
  };

  for (const [what, [body, reason]] of Object.entries(refused)) {
    it(`${what} is refused`, () => {
      assert.throws(
        () => rename(body, undefined),
        (error) => isGroupSuffixError(error) && reason.test(error.message),
      );
    });
  }
});

function nestedLists(depth: number): Uint8Array {
  const inner = depth === 0 ? configMap(`${virtual}/v1`) : nestedLists(depth - 1);
  return envelope("v1", "List", (list) => list.message(2, (item) => item.bytes(1, inner)));
}

describe("bytes that nobody vouches for", () => {
  const malformed: Readonly<Record<string, (object: WireWriter) => unknown>> = {
    "a tag that ends too early": (object) => object.raw(Uint8Array.of(0x80)),
    "a tag without a number": (object) => object.raw(Uint8Array.of(0x00, 0x00)),
    "a tag that is too large": (object) => object.raw(new Uint8Array(11).fill(0xff)),
    "a length past the end": (object) => object.raw(Uint8Array.of(0x0a, 0x05, 0x00)),
    "a length that is far too large": (object) =>
      object.raw(Uint8Array.of(0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01)),
    "a number that never ends": (object) =>
      object.raw(Uint8Array.of(0x38, ...Array(11).fill(0xff))),
    "metadata that is a number": (object) => object.varint(1, 5),
    "an owner that is a number": (object) => object.message(1, (meta) => meta.varint(13, 5)),
    "a group that does not end": (object) => object.raw(Uint8Array.of(0x3b, 0x08, 0x01)),
    "a group that only ends": (object) => object.raw(Uint8Array.of(0x3c)),
    "a group that ends as another": (object) => object.raw(Uint8Array.of(0x3b, 0x44)),
    "a type that does not exist": (object) => object.raw(Uint8Array.of(0x3e, 0x00)),
  };

  for (const [what, write] of Object.entries(malformed)) {
    it(`are refused for ${what}`, () => {
      const body = envelope("v1", "ConfigMap", (object) => void write(object));
      assert.throws(() => rename(body, undefined), UnreadableBodyError);
    });
  }

  it("are refused where an object is cut off, at every byte", () => {
    const body = configMap(`${virtual}/v1`);
    // After its kind, and after the object, an envelope may end: what is left out is empty.
    const kindEnd =
      "k8s\0".length + 2 + wire((it) => it.string(1, "v1").string(2, "ConfigMap")).length;
    for (let length = 0; length < body.length - 4; length++) {
      if (length === kindEnd) continue;
      assert.throws(() => rename(body.subarray(0, length), undefined), UnreadableBodyError);
    }
  });

  it("are either refused, or renamed to and fro without end", () => {
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.uint8Array({ maxLength: 300 }).map((raw) => envelope("v1", "List", raw)),
      fc.tuple(fc.nat(), fc.nat(255)).map(([at, byte]) => {
        const valid = configMap(`${virtual}/v1`);
        valid[at % valid.length] = byte;
        return valid;
      }),
    );
    fc.assert(
      fc.property(body, (bytes) => {
        try {
          const once = rename(bytes, undefined);
          const again = rename(rename(once, undefined), undefined);
          assert.deepEqual(Buffer.from(again), Buffer.from(once));
        } catch (error) {
          if (!isGroupSuffixError(error)) throw error;
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("take time that grows as they do, however they are made", () => {
    const many = (count: number) =>
      envelope("rbac.authorization.k8s.io/v1", "ClusterRole", (role) =>
        role.message(2, (rule) => {
          for (let i = 0; i < count; i++) rule.string(4, `crontabs.${virtual}`);
          rule.string(3, "pods");
        }),
      );
    // With a look at the whole rule for each name, this would take minutes.
    const body = many(50_000);
    assert.equal(rename(body, undefined), body);
  });
});

describe("declared rules", () => {
  const rules = [
    { group: "", kind: "ConfigMap", path: "metadata.labels['owner']", form: "group" },
    { group: "", kind: "ConfigMap", path: "metadata.finalizers[]", form: "path" },
    { group: "*", kind: "*", path: "metadata.annotations.{}", form: "group" },
    { group: virtual, kind: "CronTab", path: "metadata.name", form: "resourceName" },
    { group: virtual, kind: "CronTab", path: "spec.group", form: "group" },
    { group: "batch", kind: "Job", path: "spec.group", form: "group" },
  ] as const;
  const ruled = createProtobufRenamer({ mapping, rules });
  const object = (group: string, kind = "ConfigMap") =>
    envelope("v1", kind, (message) =>
      message.message(1, (metadata) =>
        metadata
          .message(11, (entry) => entry.string(1, "owner").string(2, group))
          .message(11, (entry) => entry.string(1, "other").string(2, virtual))
          .message(12, (entry) => entry.string(1, group).string(2, virtual)),
      ),
    );

  it("for metadata are followed in any kind", () => {
    assert.deepEqual(
      Buffer.from(ruled.rename(object(virtual), undefined)),
      Buffer.from(object(real)),
    );
  });

  it("hold for the kinds that they name", () => {
    const body = ruled.rename(object(virtual, "Secret"), undefined);
    const label = `owner\x12${String.fromCharCode(virtual.length)}${virtual}`;
    assert.ok(Buffer.from(body).includes(label));
    assert.ok(Buffer.from(body).includes(real));
  });

  it("for an app's own kind hold for its metadata alone", () => {
    const body = (name: string) =>
      envelope("meta.k8s.io/v1", "PartialObjectMetadata", (message) =>
        message.message(1, (metadata) => metadata.string(1, name)),
      );
    const target = { group: real, version: "v1", resource: "crontabs" };
    const renamed = ruled.rename(body(`x.${virtual}`), target);
    assert.deepEqual(Buffer.from(renamed), Buffer.from(body(`x.${real}`)));
  });

  it("for all objects do not hold for what is none", () => {
    const all = { group: "*", kind: "*", path: "spec.group", form: "group" } as const;
    const { rename } = createProtobufRenamer({ mapping, rules: [...rules, all] });
    const groups = (group: string) =>
      envelope("v1", "APIGroupList", (list) => list.message(1, (it) => it.string(1, group)));
    const renamed = rename(groups(virtual), undefined);
    assert.deepEqual(Buffer.from(renamed), Buffer.from(groups(real)));
    assert.throws(() => rename(configMap("v1"), undefined), UnreadableBodyError);
  });

  it("for other fields of a kind refuse its Protobuf, with the way out", () => {
    const body = envelope("batch/v1", "Job", ownedBy("v1"));
    assert.throws(() => ruled.rename(body, undefined), /rule for spec.group.*ask for JSON/);
  });
});
