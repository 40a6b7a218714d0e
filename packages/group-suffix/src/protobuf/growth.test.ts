import { encodeFrame, type WireWriter } from "@rookery/kube";
import { growing, testGrowth } from "@rookery/testing";
import { envelope, mapping, ownedBy, virtual, wire } from "../../test/protobuf/object.ts";
import type { BodyRenamer, RenameStream } from "../body-renamer.ts";
import { createItemFilter } from "../items/item-filter.ts";
import { createJsonRenamer } from "../json/json-renamer.ts";
import {
  createOpenApiRenamer,
  createProtobufRenamer,
  createProtobufWatchRenamer,
} from "./protobuf-renamer.ts";

type Write = (message: WireWriter) => unknown;
const times = (count: number, write: Write) => (message: WireWriter) => {
  for (let i = 0; i < count; i++) write(message);
};
const nested = (levels: number, around: (inner: Uint8Array) => Uint8Array) => {
  let inner: Uint8Array = new Uint8Array();
  for (let i = 0; i < levels; i++) inner = around(inner);
  return inner;
};
const object = (write: Write) => envelope("v1", "ConfigMap", (message) => void write(message));
const definition = "apiextensions.k8s.io/v1";
const listOf = (count: number) =>
  envelope(
    "v1",
    "ConfigMapList",
    times(count, (list) => list.message(2, ownedBy(`${virtual}/v1`))),
  );

const bodies: Readonly<Record<string, (size: number) => Uint8Array>> = {
  "many objects": listOf,
  "many owners": (n) =>
    object((message) =>
      message.message(
        1,
        times(n, (meta) => meta.message(13, (owner) => owner.string(5, `${virtual}/v1`))),
      ),
    ),
  "metadata many times": (n) => object(times(n, ownedBy(`${virtual}/v1`))),
  "many owners that are named after groups": (n) =>
    object((message) =>
      message.message(
        1,
        times(n, (meta) =>
          meta.message(13, (owner) =>
            owner.string(1, "CustomResourceDefinition").string(3, `crontabs.${virtual}`),
          ),
        ),
      ),
    ),
  "one owner with many names": (n) =>
    object((message) =>
      message.message(1, (meta) =>
        meta.message(13, (owner) => {
          owner.string(1, "CustomResourceDefinition");
          times(n, (each) => each.string(3, `crontabs.${virtual}`))(owner);
        }),
      ),
    ),
  "one owner with many kinds": (n) =>
    object((message) =>
      message.message(1, (meta) =>
        meta.message(13, (owner) => {
          times(n, (each) => each.string(1, "Pod"))(owner);
          owner.string(3, `crontabs.${virtual}`);
        }),
      ),
    ),
  "many managers": (n) =>
    object((message) =>
      message.message(
        1,
        times(n, (meta) => meta.message(17, (entry) => entry.string(3, `${virtual}/v1`))),
      ),
    ),
  "many annotations": (n) =>
    object((message) =>
      message.message(
        1,
        times(n, (meta) =>
          meta.message(12, (entry) =>
            entry
              .string(1, "kubectl.kubernetes.io/last-applied-configuration")
              .string(2, `{"apiVersion":"${virtual}/v1"}`),
          ),
        ),
      ),
    ),
  "one annotation with many keys": (n) =>
    object((message) =>
      message.message(1, (meta) =>
        meta.message(
          12,
          times(n, (entry) => entry.string(1, "a")),
        ),
      ),
    ),
  "many unknown fields": (n) =>
    object(times(n, (message) => message.varint(900, 7).string(901, "x"))),
  "deep groups": (n) =>
    object((message) =>
      message.raw(new Uint8Array(n).fill(0x3b)).raw(new Uint8Array(n).fill(0x3c)),
    ),
  "groups that do not end": (n) =>
    object((message) => message.raw(new Uint8Array(4 * n).fill(0x3b))),
  "many small groups": (n) =>
    object(times(n, (message) => message.raw(Uint8Array.of(0x3b, 0x08, 0x01, 0x3c)))),
  "many envelopes in one": (n) =>
    object(
      times(n, (message) => message.message(1, (meta) => meta.bytes(12, object(ownedBy("v1"))))),
    ),
  "deep schemas": (n) =>
    envelope(definition, "CustomResourceDefinition", (message) =>
      message.message(2, (spec) =>
        spec.message(7, (version) =>
          version.message(4, (validation) =>
            validation.bytes(
              1,
              nested(n / 40, (inner) => wire((schema) => schema.bytes(28, inner))),
            ),
          ),
        ),
      ),
    ),
  "kinds many times": (n) =>
    Buffer.concat([
      object(ownedBy(`${virtual}/v1`)),
      wire(
        times(n, (message) => message.message(1, (meta) => meta.string(1, "v1").string(2, "Pod"))),
      ),
    ]),
};

const operations = (write: Write) =>
  wire((document) =>
    document.message(8, (paths) =>
      paths.message(2, (path) => path.message(2, (item) => item.message(2, write))),
    ),
  );
const kinds = `- group: ${virtual}\n  kind: CronTab\n  version: v1\n`;
const documents: Readonly<Record<string, (size: number) => Uint8Array>> = {
  "an operation with many names": (n) =>
    operations((operation) => {
      times(n, (each) => each.string(5, "listStableExampleComV1CronTab"))(operation);
      operation.message(13, (extension) => extension.message(2, (value) => value.string(2, kinds)));
    }),
  "an operation of many kinds": (n) =>
    operations((operation) => {
      operation.string(5, "listStableExampleComV1CronTab");
      times(n, (each) =>
        each.message(13, (extension) => extension.message(2, (value) => value.string(2, kinds))),
      )(operation);
    }),
  "many operations": (n) =>
    wire((document) =>
      document.message(
        8,
        times(n, (paths) =>
          paths.message(2, (path) =>
            path
              .string(1, `/apis/${virtual}/v1`)
              .message(2, (item) => item.message(2, (each) => each.string(5, "list"))),
          ),
        ),
      ),
    ),
};

function rows(format: string, { rename }: Pick<BodyRenamer, "rename">, builds: typeof bodies) {
  return Object.fromEntries(
    Object.entries(builds).map(([name, build]) => [
      `${format} is renamed, with ${name}`,
      growing({ build, run: (body) => rename(body, undefined) }),
    ]),
  );
}

testGrowth(rows("Protobuf", createProtobufRenamer({ mapping }), bodies));
testGrowth(rows("OpenAPI", createOpenApiRenamer({ mapping }), documents));

const frames = (count: number) => {
  const frame = wire((event) =>
    event.string(1, "ADDED").message(2, (raw) => raw.bytes(1, object(ownedBy(`${virtual}/v1`)))),
  );
  return Buffer.concat(Array.from({ length: count }, () => encodeFrame(frame)).flat());
};
const items = (count: number) =>
  Buffer.from(`{"items":[${`{"metadata":{"namespace":"a"}},`.repeat(count)}{}]}`);
const item = (count: number) => Buffer.from(`{"items":[{"data":"${"x".repeat(32 * count)}"}]}`);
const event = (count: number) => Buffer.from(`{"object":{"data":"${"x".repeat(32 * count)}"}}\n`);
const key = (count: number) => Buffer.from(`{"${"x".repeat(32 * count)}":1,"kind":"Pod"}`);

/** As it comes from a peer that sends little at a time. */
const inPieces = (open: () => RenameStream | undefined, build: (size: number) => Uint8Array) =>
  growing({
    build,
    run: (body) => {
      const stream = open();
      for (let at = 0; at < body.length; at += 64) stream?.push(body.subarray(at, at + 64));
      return stream?.end();
    },
  });
const filter =
  (contentType: string, isWatch = false) =>
  () =>
    createItemFilter({
      contentType,
      isWatch,
      keep: (namespace) => namespace === "a",
      seal: (token) => token,
    });
const json = createJsonRenamer({ mapping });
const protobuf = "application/vnd.kubernetes.protobuf";

testGrowth({
  "JSON is renamed in pieces, with many items": inPieces(() => json.stream(undefined), items),
  "JSON is renamed in pieces, with a long text": inPieces(() => json.stream(undefined), item),
  "JSON is renamed in pieces, with a long key": inPieces(() => json.stream(undefined), key),
  "Protobuf is renamed in pieces": inPieces(
    () => createProtobufRenamer({ mapping }).stream(undefined),
    listOf,
  ),
  "a watch in Protobuf is renamed in pieces": inPieces(
    () => createProtobufWatchRenamer({ mapping }).stream(undefined),
    frames,
  ),
  "a list in JSON is filtered in pieces, with many items": inPieces(
    filter("application/json"),
    items,
  ),
  "a list in JSON is filtered in pieces, with a long item": inPieces(
    filter("application/json"),
    item,
  ),
  "a list in JSON is filtered in pieces, with a long key": inPieces(
    filter("application/json"),
    key,
  ),
  "a list in Protobuf is filtered in pieces": inPieces(filter(protobuf), listOf),
  "a list in Protobuf is filtered in pieces, with long metadata": inPieces(filter(protobuf), (n) =>
    envelope("v1", "ConfigMapList", (list) =>
      list.message(1, (metadata) => metadata.string(3, "x".repeat(32 * n))),
    ),
  ),
  "a list in JSON is filtered in pieces, with long metadata": inPieces(
    filter("application/json"),
    (n) => Buffer.from(`{"metadata":{"continue":"${"x".repeat(32 * n)}"},"items":[]}`),
  ),
  "a list in Protobuf is filtered in pieces, with a long item": inPieces(filter(protobuf), (n) =>
    envelope("v1", "ConfigMapList", (list) =>
      list.message(2, (each) => each.string(2, "x".repeat(32 * n))),
    ),
  ),
  "a watch in JSON is filtered in pieces, with a long event": inPieces(
    filter("application/json", true),
    event,
  ),
  "a watch in Protobuf is filtered in pieces": inPieces(
    filter(`${protobuf};stream=watch`, true),
    frames,
  ),
});
