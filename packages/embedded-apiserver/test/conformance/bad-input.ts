import { encodeEnvelope, protobufMediaType, WireWriter } from "@rookery/kube";
import type { Exchange, Scenario } from "@rookery/testing";
import { applyPatch, jsonPatch, mergePatch, strategicPatch } from "./subject.ts";

const maps = "/api/v1/namespaces/{ns}/configmaps";
const widgets = "/apis/conformance.rookery.dev/v1/namespaces/{ns}/widgets";
const map = (change: object) => ({ apiVersion: "v1", kind: "ConfigMap", ...change });
const named = (name: string, more: object = {}) => map({ metadata: { name, ...more } });
const mebibyte = 1024 * 1024;

/** Something that is sent where a ConfigMap belongs. */
const sent = (what: string, body: string | object, contentType = "application/json"): Exchange => ({
  what,
  path: maps,
  method: "POST",
  contentType,
  body: body instanceof Uint8Array ? () => body : body,
});

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))),
  );

const bodies: readonly Exchange[] = [
  sent("no body", Buffer.alloc(0)),
  sent("an object that is not closed", "{"),
  sent("nonsense", "nonsense"),
  sent("a comma too much", '{"metadata":{"name":"x"},}'),
  sent("a key without quotes", "{metadata:{}}"),
  sent("a text that is not closed", '{"metadata":{"name":"x'),
  sent("an escape that is none", '{"metadata":{"name":"\\x"}}'),
  sent("two objects", "{}{}"),
  sent("a list", "[]"),
  sent("a text", '"text"'),
  sent("nothing, in JSON", "null"),
  sent("a kind that is a number", { apiVersion: "v1", kind: 1 }),
  sent("metadata that are a list", map({ metadata: [] })),
  sent("a name that is a number", map({ metadata: { name: 1 } })),
  sent("a name that is an object", map({ metadata: { name: {} } })),
  sent(
    "bytes that are no UTF-8",
    bytes('{"metadata":{"name":"utf"},"data":{"a":"', [0xff, 0xfe], '"}}'),
  ),
  sent("half a character", bytes('{"metadata":{"name":"half"},"data":{"a":"', [0xe2, 0x82], '"}}')),
  sent("a byte order mark", bytes([0xef, 0xbb, 0xbf], "{}")),
  sent("a zero byte", bytes('{"metadata":{"name":"a', [0], '"}}')),
  sent("a number past all numbers", '{"metadata":{"name":"a","generation":1e400}}'),
  sent("an integer past 64 bits", '{"metadata":{"name":"a","generation":9223372036854775808}}'),
  sent("an integer past 53 bits", '{"metadata":{"name":"exact","generation":9007199254740992}}'),
  sent("a body of 4 MiB", named("a", { annotations: { a: "x".repeat(4 * mebibyte) } })),
  sent(
    "a body just below 3 MiB",
    map({ metadata: { name: "a" }, data: { a: "x".repeat(3 * mebibyte - 200) } }),
  ),
  sent("a hundred thousand lists", `{"metadata":{"name":"a"},"data":${"[".repeat(100_000)}`),
  sent("twenty thousand objects, all closed", `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`),
  sent("a huge annotation", named("a", { annotations: { a: "x".repeat(300_000) } })),
  sent("a huge label", named("a", { labels: { a: "x".repeat(1000) } })),
  sent("a huge key of a label", named("a", { labels: { [`${"x".repeat(300)}/y`]: "a" } })),
  sent("a long name", named("x".repeat(300))),
  sent("a name that climbs", named("..")),
  sent("a name with a slash", named("a/b")),
  {
    ...sent("another kind, with a name that is a list", {
      apiVersion: "conformance.rookery.dev/v1",
      kind: "Gadget",
      metadata: { name: [null] },
    }),
    path: widgets,
  },
];

const yamls: readonly Exchange[] = [
  sent("YAML with a tab", "metadata:\n\tname: a\n", "application/yaml"),
  sent("YAML that is not closed", "metadata: {name: a", "application/yaml"),
  sent("YAML with an unknown alias", "metadata: {name: *a}\n", "application/yaml"),
  sent("YAML that is a text", "text", "application/yaml"),
  sent("YAML of ten thousand lists", `data: ${"[".repeat(10_001)}`, "application/yaml"),
];

const types: readonly Exchange[] = [
  ...["text/plain", "application/cbor", "multipart/form-data", "nonsense", "*/*"].map((type) =>
    sent(`an object as ${type}`, named("a"), type),
  ),
  sent(
    "an object as JSON with a character set",
    named("charset"),
    "application/json; charset=utf-16",
  ),
  ...[jsonPatch, mergePatch, strategicPatch, applyPatch].map((type) =>
    sent(`an object as ${type}`, named("a"), type),
  ),
  {
    what: "a patch as JSON",
    method: "PATCH",
    path: `${maps}/kept`,
    body: {},
    contentType: "application/json",
  },
  {
    what: "a strategic patch of a custom kind",
    method: "PATCH",
    path: `${widgets}/a`,
    body: {},
    contentType: strategicPatch,
  },
];

const envelope = (kind: string, apiVersion: string, raw: Uint8Array) =>
  encodeEnvelope({ typeMeta: { apiVersion, kind }, raw }).finish();
const message = new WireWriter().message(1, (meta) => meta.string(1, "protobuf")).finish();

const protobufs: readonly Exchange[] = [
  sent("Protobuf without anything", Buffer.alloc(0), protobufMediaType),
  sent("Protobuf that is JSON", named("a"), protobufMediaType),
  sent("Protobuf that ends after its beginning", bytes("k8s\0"), protobufMediaType),
  sent(
    "Protobuf that is cut off",
    envelope("ConfigMap", "v1", message.subarray(0, -2)),
    protobufMediaType,
  ),
  sent("Protobuf of another kind", envelope("Secret", "v1", message), protobufMediaType),
  sent("Protobuf of no kind", envelope("Nothing", "v1", message), protobufMediaType),
  sent(
    "Protobuf with a field of another type",
    envelope("ConfigMap", "v1", new WireWriter().varint(1, 5).finish()),
    protobufMediaType,
  ),
  {
    ...sent(
      "Protobuf of a custom kind",
      envelope("Widget", "conformance.rookery.dev/v1", message),
      protobufMediaType,
    ),
    path: widgets,
  },
];

const patch = (what: string, contentType: string, body: string | object): Exchange => ({
  what,
  method: "PATCH",
  path: `${maps}/kept`,
  contentType,
  body,
});
const operations = (count: number) =>
  Array.from({ length: count }, () => ({ op: "test", path: "/kind", value: "ConfigMap" }));
const doubling = Array.from({ length: 40 }, (_, i) => ({
  op: "copy",
  from: "/data",
  path: `/data/x${i}`,
}));

const otherKind = { kind: "Gadget", metadata: { name: [null] } };

const patches: readonly Exchange[] = [
  patch("a patch that is nonsense", mergePatch, "nonsense"),
  patch("a merge patch that is a list", mergePatch, "[]"),
  patch("a merge patch that is nothing", mergePatch, "null"),
  patch("a JSON patch that is an object", jsonPatch, "{}"),
  patch("a JSON patch of texts", jsonPatch, '["a"]'),
  patch("a JSON patch without a path", jsonPatch, [{ op: "remove" }]),
  patch("a JSON patch of an unknown operation", jsonPatch, [{ op: "paint", path: "/data" }]),
  patch("a JSON patch of ten thousand operations and one", jsonPatch, operations(10_001)),
  patch("a JSON patch that doubles and doubles", jsonPatch, doubling),
  patch("a strategic patch with an unknown directive", strategicPatch, { $patch: "paint" }),
  patch("a strategic patch that is nothing", strategicPatch, "null"),
  patch("a patch that takes the name away", mergePatch, { metadata: { name: null } }),
  patch("a patch of another name", mergePatch, { metadata: { name: "other" } }),
  patch("a patch that makes a list of a map", mergePatch, { data: [] }),
  patch("a patch that makes the kind a number", mergePatch, { kind: 1 }),
  patch("a patch that makes the version a list", mergePatch, { apiVersion: ["v1"] }),
  patch("a patch of a version with slashes", mergePatch, { apiVersion: "a/b/c" }),
  ...[
    { kind: 1 },
    { apiVersion: ["v1"] },
    { apiVersion: "a/b/c" },
    { metadata: "x" },
    otherKind,
  ].map(
    (body): Exchange => ({
      ...patch(`a patch of a custom kind with ${JSON.stringify(body)}`, mergePatch, body),
      path: `${widgets}/kept`,
    }),
  ),
  { ...patch("an apply without a manager", applyPatch, named("kept")), path: `${maps}/kept` },
  {
    ...patch("an apply of a name that is a list", applyPatch, map({ metadata: { name: [{}] } })),
    path: `${maps}/kept?fieldManager=a`,
  },
];

const paths: readonly Exchange[] = [
  ...["%2e%2e%2fsecrets", "%2F", "a%2Fb", "%00", "%20", "a;b", "a:b", "..", "%2e", "a%0d%0ab"].map(
    (name): Exchange => ({ what: `a name in a path that is ${name}`, path: `${maps}/${name}` }),
  ),
  { what: "a name in a path that is long", path: `${maps}/${"x".repeat(8000)}` },
  { what: "a path of many slashes", path: `/api/v1${"/".repeat(5000)}x` },
  { what: "a path that goes deep", path: `${maps}${"/x".repeat(2000)}` },
];

const queries: readonly Exchange[] = [
  ...[
    ...["limit=x", "limit=-1", "limit=9223372036854775808", "continue=nonsense", "continue=e30"],
    ...[
      "labelSelector=((",
      "labelSelector=a%20in%20()",
      "fieldSelector=a",
      "fieldSelector=data.a=b",
    ],
    ...[
      "resourceVersion=x",
      "resourceVersion=-1",
      "resourceVersionMatch=Exact",
      "watch=maybe&timeoutSeconds=1",
    ],
    ...["sendInitialEvents=true", "timeoutSeconds=x", "timeout=x"],
    ...[
      "resourceVersion=1&resourceVersionMatch=Perhaps",
      "%zz=1",
      "limit=1&limit=x",
      "watch=1&resourceVersion=x",
    ],
  ].map((query): Exchange => ({ what: `a list with ${query}`, path: `${maps}?${query}` })),
  ...[
    "dryRun=Some",
    `fieldManager=${"x".repeat(200)}`,
    "fieldManager=%00",
    "fieldValidation=Hard",
  ].map(
    (query): Exchange => ({
      what: `a creation with ${query.slice(0, 30)}`,
      path: `${maps}?${query}`,
      body: named("never"),
    }),
  ),
  ...["gracePeriodSeconds=x", "propagationPolicy=Sideways", "orphanDependents=perhaps"].map(
    (query): Exchange => ({
      what: `a deletion with ${query}`,
      method: "DELETE",
      path: `${maps}/kept?${query}`,
    }),
  ),
  ...Object.entries({
    "a kind that is a number": { kind: 1, apiVersion: "v1" },
    "another kind": { kind: "ConfigMap", apiVersion: "v1" },
    "a time that is a text": { gracePeriodSeconds: "1" },
    "a policy that is an object": { propagationPolicy: {} },
    "preconditions that are a text": { preconditions: "x" },
    "a uid that is a number": { preconditions: { uid: 1 } },
    "a try that is a text": { dryRun: "All" },
    "a list": [],
  }).map(
    ([what, body]): Exchange => ({
      what: `a deletion with ${what}`,
      method: "DELETE",
      path: `${maps}/kept`,
      body,
    }),
  ),
];

const head = (line: string, ...headers: string[]) =>
  [line, "host: localhost", "connection: close", ...headers, "", ""].join("\r\n");
const raw = (what: string, text: string): Exchange => ({ what, path: "", raw: text });
const many = (count: number, length: number) =>
  Array.from({ length: count }, (_, i) => `x-flood-${i}: ${"x".repeat(length)}`);

const connections: readonly Exchange[] = [
  raw(
    "a flood of a thousand headers",
    head("GET /version HTTP/1.1", ...many(1000, 50)).replace("/version", "/livez"),
  ),
  raw("headers of 200 KiB", head("GET /livez HTTP/1.1", ...many(20, 10_000))),
  raw("headers of 2 MiB", head("GET /livez HTTP/1.1", ...many(200, 10_000))),
  raw("a header of 2 MiB", head("GET /livez HTTP/1.1", `x-long: ${"x".repeat(2 * mebibyte)}`)),
  raw("no host", "GET /livez HTTP/1.1\r\nconnection: close\r\n\r\n"),
  raw("nonsense instead of HTTP", "nonsense\r\n\r\n"),
  raw("a header without a colon", head("GET /livez HTTP/1.1", "nonsense")),
  raw("a header with a space in its name", head("GET /livez HTTP/1.1", "a b: c")),
  raw("a header with a zero byte", head("GET /livez HTTP/1.1", "a: \0")),
  raw("two lengths", head(`POST ${maps} HTTP/1.1`, "content-length: 1", "content-length: 2")),
  raw("a length that is none", head(`POST ${maps} HTTP/1.1`, "content-length: x")),
  raw("a version of HTTP that is none", "GET /livez HTTP/9.9\r\nhost: localhost\r\n\r\n"),
  raw("a target without a slash", head("GET livez HTTP/1.1")),
  raw("a target with its server", head("GET https://localhost/livez HTTP/1.1")),
  raw("a path with bytes that are no UTF-8", head(`GET ${maps}/%ff HTTP/1.1`)),
  raw("a path with an escape that is none", head(`GET ${maps}/%zz HTTP/1.1`)),
  raw("a body in an unknown encoding", head(`POST ${maps} HTTP/1.1`, "transfer-encoding: gzip")),
  raw(
    "chunks that are none",
    `${head(`POST ${maps} HTTP/1.1`, "transfer-encoding: chunked")}zz\r\n`,
  ),
];

/** What nobody should send, and what is said of it. */
export const badInput: readonly Scenario[] = [
  {
    name: "bad input",
    exchanges: [
      {
        what: "a good one",
        path: maps,
        body: { ...named("kept"), data: { a: "x".repeat(1000) } },
        silent: true,
      },
      {
        what: "a good one of a custom kind",
        path: widgets,
        silent: true,
        body: {
          apiVersion: "conformance.rookery.dev/v1",
          kind: "Widget",
          metadata: { name: "kept" },
          spec: { size: 3 },
        },
      },
      ...[
        ...bodies,
        ...yamls,
        ...types,
        ...protobufs,
        ...patches,
        ...paths,
        ...queries,
        ...connections,
      ].map((exchange): Exchange => ({ ...exchange, mayClose: true })),
      {
        what: "a request for a certificate without the request",
        path: "/apis/certificates.k8s.io/v1/certificatesigningrequests?dryRun=All",
        body: {
          metadata: { name: "{ns}" },
          spec: { signerName: "example.com/x", usages: ["any"] },
        },
      },
    ],
  },
];
