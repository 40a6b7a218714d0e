import type { PolicyRule } from "@rookery/api";
import { encodeEnvelope, type KubeObject, WireWriter } from "@rookery/kube";
import { growing, testGrowth } from "@rookery/testing";
import { checkedConversion } from "./crds/converted-object.ts";
import { conversionReview, convertedObjects } from "./crds/converter.ts";
import { completeObject } from "./crds/crd.ts";
import { unifiedDiff } from "./kinds/core/unified-diff.ts";
import { describeRules, uncoveredRules } from "./rbac/covers.ts";
import { FrameReader as SpdyReader } from "./streaming/spdy/frame-reader.ts";
import { readHeaderBlock } from "./streaming/spdy/header-inflater.ts";
import { FrameReader as WebSocketReader } from "./streaming/websocket/frame-reader.ts";
import { builtInGoType } from "./types/go-types.ts";
import { protobufDecoder } from "./types/protobuf/protobuf-decoder.ts";
import { typedDecoder } from "./types/typed-decoder.ts";
import { readResponse } from "./webhooks/admission-review.ts";
import { parseAnswer } from "./webhooks/webhook-client.ts";

const list = <T>(length: number, item: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => item(index));
const texts = (length: number, prefix: string) => list(length, (i) => `${prefix}${i}`);

type Write = (message: WireWriter) => unknown;
const times = (count: number, write: Write) => (message: WireWriter) => {
  for (let i = 0; i < count; i++) write(message);
};
const decode = protobufDecoder(builtInGoType);
const kinds = {
  ConfigMap: { apiVersion: "v1", kind: "ConfigMap" },
  Pod: { apiVersion: "v1", kind: "Pod" },
  CustomResourceDefinition: {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
  },
};
/** An object in Protobuf, read as far as a request's body is before it is admitted. */
const protobuf = (kind: keyof typeof kinds, write: (size: number) => Write, size = 2000) =>
  growing({
    build: (n) => {
      const message = new WireWriter();
      write(n)(message);
      return encodeEnvelope({ typeMeta: kinds[kind], raw: message.finish() }).finish();
    },
    run: (body) => {
      const object = decode(body) as unknown as Parameters<ReturnType<typeof typedDecoder>>[0];
      return typedDecoder(builtInGoType(kinds[kind]) ?? "")(object, undefined);
    },
    size,
  });

testGrowth({
  "a diff of equal lines": growing({
    build: (n) => [`a\n${"x\n".repeat(n)}`, `b\n${"x\n".repeat(n)}`] as const,
    run: ([old, text]) => unifiedDiff(old, text),
    size: 8000,
  }),
  "a diff of texts that share many lines": growing({
    build: (n) => [texts(n, "l").join("\n"), texts(n, "l").toReversed().join("\n")] as const,
    run: ([old, text]) => unifiedDiff(old, text),
    size: 8000,
  }),
  "Protobuf of many entries": protobuf("ConfigMap", (n) => (message) => {
    for (let i = 0; i < n; i++)
      message.message(2, (entry) => entry.string(1, `k${i}`).string(2, "v"));
  }),
  "Protobuf of one entry many times": protobuf("ConfigMap", (n) =>
    times(n, (message) => message.message(2, (entry) => entry.string(1, "k").string(2, "v"))),
  ),
  "Protobuf of an entry with many keys": protobuf(
    "ConfigMap",
    (n) => (message) =>
      message.message(
        2,
        times(n, (entry) => entry.string(1, "k")),
      ),
  ),
  "Protobuf of metadata many times": protobuf("ConfigMap", (n) =>
    times(n, (message) => message.message(1, (meta) => meta.string(1, "a").string(10, "b"))),
  ),
  "Protobuf of many owners": protobuf(
    "ConfigMap",
    (n) => (message) =>
      message.message(
        1,
        times(n, (meta) => meta.message(13, (owner) => owner.string(1, "Pod"))),
      ),
  ),
  "Protobuf of raw JSON many times": protobuf(
    "ConfigMap",
    (n) => (message) =>
      message.message(1, (meta) =>
        meta.message(17, (entry) =>
          entry.message(
            7,
            times(n, (fields) => fields.string(1, '{"f:a":{}}')),
          ),
        ),
      ),
  ),
  "Protobuf of many numbers without tags": protobuf(
    "Pod",
    (n) => (message) =>
      message.message(2, (spec) =>
        spec.message(14, (security) => security.bytes(4, new Uint8Array(4 * n).fill(1))),
      ),
  ),
  "Protobuf of one struct in many parts": protobuf(
    "Pod",
    (n) => (message) =>
      message.message(
        2,
        times(n, (spec) => spec.message(14, (security) => security.bytes(4, Uint8Array.of(1)))),
      ),
  ),
  "Protobuf of many containers": protobuf(
    "Pod",
    (n) => (message) =>
      message.message(
        2,
        times(n, (spec) => spec.message(2, (container) => container.string(1, "a"))),
      ),
  ),
  "Protobuf of many unknown fields": protobuf("Pod", (n) =>
    times(n, (message) => message.string(900, "x")),
  ),
  "Protobuf of deep groups": protobuf(
    "Pod",
    (n) => (message) => message.raw(new Uint8Array(n).fill(0x3b)).raw(new Uint8Array(n).fill(0x3c)),
  ),
  "Protobuf of groups that do not end": protobuf(
    "Pod",
    (n) => (message) => message.raw(new Uint8Array(8 * n).fill(0x3b)),
  ),
  "Protobuf of many kinds": growing({
    build: (n) => {
      const types = new WireWriter();
      times(n, (message) => message.message(1, (meta) => meta.string(1, "v1").string(2, "Pod")))(
        types,
      );
      return Buffer.concat([
        encodeEnvelope({ typeMeta: kinds.Pod, raw: undefined }).finish(),
        types.finish(),
      ]);
    },
    run: decode,
  }),
});

const admin: PolicyRule[] = [{ verbs: ["get"], apiGroups: ["*"], resources: ["*"] }];
const rights = (wanted: (size: number) => PolicyRule[], held: (size: number) => PolicyRule[]) =>
  growing({
    build: (n) => ({ held: held(n), wanted: wanted(n) }),
    run: ({ held: own, wanted: asked }) => describeRules(uncoveredRules(own, asked) ?? []),
  });
const cube = (n: number): PolicyRule[] => [
  { verbs: texts(n, "v"), apiGroups: texts(n, "g"), resources: texts(n, "r") },
];

testGrowth({
  "a role of many combinations": rights(cube, () => admin),
  "a role of many resources": rights(
    (n) => [{ verbs: ["list"], apiGroups: [""], resources: texts(n, "r") }],
    () => admin,
  ),
  "a role of many verbs": rights(
    (n) => [{ verbs: texts(n, "v"), apiGroups: [""], resources: ["pods"] }],
    () => admin,
  ),
  "a role of many names": rights(
    (n) => [
      { verbs: ["list"], apiGroups: [""], resources: ["pods"], resourceNames: texts(n, "n") },
    ],
    () => admin,
  ),
  "a role of many URLs": rights(
    (n) => [{ verbs: ["get"], nonResourceURLs: texts(n, "/u") }],
    () => [{ verbs: ["get"], nonResourceURLs: ["/x*"] }],
  ),
  "a role of all that is held": rights(
    (n) => [{ verbs: ["get"], apiGroups: [""], resources: texts(n, "r") }],
    (n) => [{ verbs: ["get"], apiGroups: [""], resources: texts(n, "r") }],
  ),
});

const meta = { name: "a", namespace: "b", uid: "u" };
const widget = (count: number): KubeObject =>
  ({
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { ...meta, labels: Object.fromEntries(texts(count, "l").map((key) => [key, "!"])) },
    spec: Object.fromEntries(texts(count, "k").map((key) => [key, 1])),
  }) as unknown as KubeObject;
const asked = { uid: "u", version: "v1", mutating: true } as const;

testGrowth({
  "an answer of a webhook": growing({
    build: (n) =>
      JSON.stringify({
        apiVersion: "admission.k8s.io/v1",
        kind: "AdmissionReview",
        response: {
          uid: "u",
          allowed: true,
          patchType: "JSONPatch",
          patch: Buffer.from(
            JSON.stringify(list(n, () => ({ op: "add", path: "/a/-", value: 1 }))),
          ).toString("base64"),
          warnings: texts(n, "w"),
        },
      }),
    run: (text) => readResponse(parseAnswer(text), asked),
  }),
  "an answer of a webhook that is no JSON": growing({
    build: (n) => `{"a":[${"1,".repeat(n)}`,
    run: parseAnswer,
  }),
  "an answer of a webhook in YAML": growing({
    build: (n) =>
      texts(n, "k")
        .map((key) => `${key}: 1\n`)
        .join(""),
    run: parseAnswer,
  }),
  "a conversion of many objects": growing({
    build: (n) => list(n, () => widget(2)),
    run: (objects) => {
      const { review, uid } = conversionReview(["v1"], objects, "example.com/v2");
      const converted = objects.map((each) => ({ ...each, apiVersion: "example.com/v2" }));
      const response = { uid, convertedObjects: converted, result: { status: "Success" } };
      const answered = convertedObjects({ ...review, response }, { uid, version: "v1" });
      return objects.map((each, i) => checkedConversion(each, answered[i], "example.com/v2"));
    },
    size: 1000,
  }),
  "a conversion that changes many labels": growing({
    build: (n) => widget(n),
    run: (object) =>
      checkedConversion(widget(0), { ...object, apiVersion: "example.com/v2" }, "example.com/v2"),
  }),
  "a converted object with many unknown fields": growing({
    build: widget,
    run: (object) =>
      completeObject(object, { type: "object", properties: { spec: { type: "object" } } }),
  }),
});

const pushAll = <T>(read: (chunk: Buffer) => Iterable<T>, bytes: Buffer) => {
  let count = 0;
  for (let at = 0; at < bytes.length; at += 64) {
    for (const _ of read(bytes.subarray(at, at + 64))) count++;
  }
  return count;
};

testGrowth({
  "SPDY headers of many names": growing({
    build: (n) => {
      const block = Buffer.alloc(4 + 16 * n);
      block.writeUInt32BE(n);
      for (let i = 0; i < n; i++) {
        block.writeUInt32BE(6, 4 + 16 * i);
        block.write(`k${String(i).padStart(5, "0")}`, 8 + 16 * i);
        block.writeUInt32BE(2, 14 + 16 * i);
      }
      return block;
    },
    run: readHeaderBlock,
  }),
  "SPDY frames in pieces": growing({
    build: (n) =>
      Buffer.alloc(32 * n, Buffer.from([0, 0, 0, 1, 0, 0, 8, 0, ...new Uint8Array(2048)])),
    run: (bytes) => {
      const reader = new SpdyReader();
      return pushAll((chunk) => reader.read(chunk), bytes);
    },
  }),
  "WebSocket frames in pieces": growing({
    build: (n) =>
      Buffer.alloc(32 * n, Buffer.from([0x82, 0xfe, 8, 0, 1, 2, 3, 4, ...new Uint8Array(2048)])),
    run: (bytes) => {
      const reader = new WebSocketReader();
      return pushAll((chunk) => reader.read(chunk), bytes);
    },
  }),
});
