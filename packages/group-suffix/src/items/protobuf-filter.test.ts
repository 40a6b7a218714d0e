import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  decodeEnvelope,
  encodeFrame,
  FrameReader,
  WireReader,
  type WireWriter,
} from "@rookery/kube";
import fc from "fast-check";
import { filterBytes, keep, namespaces, seal, sizes } from "../../test/items/filter.ts";
import { envelope, wire } from "../../test/protobuf/object.ts";
import { TruncatedBodyError, UnreadableBodyError } from "../errors.ts";

const protobuf = "application/vnd.kubernetes.protobuf";
const list = (bytes: Uint8Array, chunks?: readonly number[]) =>
  filterBytes(bytes, { contentType: protobuf, isWatch: false }, chunks);
const watch = (bytes: Uint8Array, chunks?: readonly number[]) =>
  filterBytes(bytes, { contentType: `${protobuf};stream=watch`, isWatch: true }, chunks);

interface Item {
  readonly namespace: string | undefined;
  readonly data: Uint8Array;
}
const item = fc.record({ namespace: namespaces, data: fc.uint8Array({ maxLength: 300 }) });
const items = fc.array(item, { maxLength: 6 });
const isKept = ({ namespace }: Item) => keep(namespace ?? "");

const writeItem =
  ({ namespace, data }: Item) =>
  (object: WireWriter) => {
    object.message(1, (metadata) => {
      metadata.string(1, "name");
      if (namespace !== undefined) metadata.string(3, namespace);
    });
    object.bytes(2, data);
  };

interface Metadata {
  readonly token?: string | undefined;
  readonly remaining?: number;
}
const metadata = fc.record<Metadata>(
  { token: fc.constantFrom("", "next", "n".repeat(200)), remaining: fc.nat() },
  { requiredKeys: [] },
);

const writeMetadata =
  ({ token, remaining }: Metadata) =>
  (written: WireWriter) => {
    written.string(2, "7");
    if (token !== undefined) written.string(3, token);
    if (remaining !== undefined) written.varint(4, remaining);
  };

function listOf(all: readonly Item[], page: Metadata = { token: "" }): Uint8Array {
  return wire((message) => {
    message.message(1, writeMetadata(page));
    for (const one of all) message.message(2, writeItem(one));
  });
}

/** A page whose token is sealed, and which does not count what follows. */
const sealed = ({ token }: Metadata): Metadata => ({ token: token ? seal(token) : undefined });

/** What a reader that knows the fields 1 and 2, and passes over others, makes of a list. */
function readList(bytes: Uint8Array): Uint8Array[] {
  const { raw } = decodeEnvelope(bytes);
  const reader = new WireReader(raw ?? new Uint8Array());
  const fields: Uint8Array[] = [];
  while (reader.next()) {
    if (reader.field <= 2) fields.push(Buffer.from(reader.bytes()));
    else reader.skip();
  }
  return fields;
}

describe("a list in Protobuf", () => {
  it("keeps exactly the items in scope, and a sealed token, however it is cut", () => {
    fc.assert(
      fc.property(items, metadata, sizes, (all, page, chunks) => {
        const whole = envelope("v1", "ConfigMapList", listOf(all, page));
        const { bytes, passed, dropped } = list(whole, chunks);
        const kept = all.filter(isKept);
        const expected = listOf(kept, sealed(page));
        assert.deepEqual(readList(bytes), readList(envelope("v1", "ConfigMapList", expected)));
        assert.deepEqual([passed, dropped], [kept.length, all.length - kept.length]);
      }),
      { numRuns: 300 },
    );
  });

  it("says nothing of what was dropped", () => {
    const secret = { namespace: "out", data: Buffer.from("secret") };
    const { bytes } = list(envelope("v1", "SecretList", listOf([secret])));
    assert.doesNotMatch(bytes.toString("latin1"), /secret|out/);
  });

  it("is refused where its token comes last, or where it is an older list of metadata", () => {
    const kind = "PartialObjectMetadataList";
    const late = wire((message) => {
      message.message(2, writeItem({ namespace: "in", data: new Uint8Array() }));
      message.message(1, writeMetadata({ token: "next" }));
    });
    assert.throws(() => list(envelope("v1", "ConfigMapList", late)), UnreadableBodyError);
    const older = envelope("meta.k8s.io/v1beta1", kind, listOf([]));
    assert.throws(() => list(older), UnreadableBodyError);
  });

  it("in whose place a Status has a token passes with a sealed one", () => {
    const status = (token: string) =>
      envelope("v1", "Status", (message) => {
        message.message(1, (written) => written.string(3, token));
        message.string(2, "Failure").string(4, "Expired");
      });
    assert.deepEqual(readList(list(status("next")).bytes), readList(status(seal("next"))));
  });

  it("that breaks off is no list", () => {
    const all = [{ namespace: "in", data: Buffer.alloc(200) }];
    const whole = envelope("v1", "ConfigMapList", listOf(all));
    const ends = new Set([6, 20, 30, 100, whole.length - 3]);
    for (const end of ends) {
      assert.throws(() => list(whole.subarray(0, end)), TruncatedBodyError, `${end}`);
    }
  });

  it("that is none is refused", () => {
    assert.throws(() => list(Buffer.from('{"items":[]}')), UnreadableBodyError);
    const broken = Buffer.concat([Buffer.from("k8s\0"), Buffer.alloc(40)]);
    assert.throws(() => list(broken), UnreadableBodyError);
  });
});

describe("a watch in Protobuf", () => {
  const types = fc.constantFrom("ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR");
  const frameOf = (type: string, one: Item) =>
    wire((event) => {
      const object = envelope("v1", "ConfigMap", writeItem(one));
      event.string(1, type).message(2, (extension) => extension.bytes(1, object));
    });

  it("keeps bookmarks, errors and the events in scope, however it is cut", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(types, item), { maxLength: 6 }), sizes, (events, chunks) => {
        const stream = Buffer.concat(
          events.flatMap(([type, one]) => encodeFrame(frameOf(type, one))),
        );
        const kept = events.filter(([type, one]) => /BOOKMARK|ERROR/.test(type) || isKept(one));
        const { bytes, passed } = watch(stream, chunks);
        assert.deepEqual(
          new FrameReader().push(bytes).map((frame) => Buffer.from(frame)),
          kept.map(([type, one]) => Buffer.from(frameOf(type, one))),
        );
        assert.equal(passed, kept.length);
      }),
      { numRuns: 200 },
    );
  });

  it("ends between two frames, and nowhere else", () => {
    assert.throws(() => watch(Buffer.from([0, 0])), TruncatedBodyError);
    assert.throws(() => watch(Buffer.from([0xff, 0xff, 0xff, 0xff, 1])), UnreadableBodyError);
  });
});
