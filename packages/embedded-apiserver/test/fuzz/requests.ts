import fc from "fast-check";
import { deleteBody, objectBody, patchBody, type SentBody, strayBody } from "./bodies.ts";
import { type Subject, subjects } from "./corpus.ts";
import { anyText } from "./mutate.ts";

export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: SentBody;
  /** After how many bytes of its body the client leaves; it stays to the end where absent. */
  readonly cutAfter?: number;
}

/** The namespace in which objects are made. */
export const namespace = "fuzz";

const oddSegments = [
  ...[
    "watch",
    "proxy",
    "",
    "..",
    ".",
    "%2e%2e",
    "%2F",
    "%00",
    "%ff",
    "%zz",
    "%",
    "openapi",
    "v2",
    "v3",
  ],
  ...[
    "livez",
    "readyz",
    "healthz",
    "version",
    "metrics",
    "apis",
    "api",
    "v1",
    "namespaces",
    "default",
  ],
  ...["pods", "a", "status", "scale", "apps", "x", "\\", ";a=b", "a:b", "*", "~", "\u00e9", "a b"],
];
const segment = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...oddSegments) },
  { weight: 1, arbitrary: anyText(3).map(encodeText) },
);
const segments = fc.array(segment, { maxLength: 6 }).map((parts) => parts.join("/"));

/** In the bytes that a request line may have. */
function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

const name = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom("a", "b", "c") },
  { weight: 1, arbitrary: segment },
);
const subresource = fc.oneof(
  { weight: 8, arbitrary: fc.constant("") },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...["/status", "/scale", "/finalize", "/token", "/approval", "/eviction", "/binding"],
      ...[
        "/ephemeralcontainers",
        "/log",
        "/exec",
        "/attach",
        "/portforward",
        "/proxy",
        "/proxy/x/y",
      ],
    ),
  },
  { weight: 1, arbitrary: segment.map((text) => `/${text}`) },
);
const place = fc.oneof(
  { weight: 12, arbitrary: fc.constant(namespace) },
  { weight: 1, arbitrary: fc.constantFrom("default", "kube-system", "none") },
  { weight: 1, arbitrary: segment },
);

export function collectionOf({ apiVersion, plural, namespaced }: Subject, where: string): string {
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return namespaced && where !== "" ? `${root}/namespaces/${where}/${plural}` : `${root}/${plural}`;
}

const parameterNames = [
  ...[
    "watch",
    "limit",
    "continue",
    "dryRun",
    "fieldManager",
    "fieldValidation",
    "timeout",
    "pretty",
  ],
  ...["labelSelector", "fieldSelector", "resourceVersion", "resourceVersionMatch", "force", "hash"],
  ...[
    "sendInitialEvents",
    "timeoutSeconds",
    "includeObject",
    "propagationPolicy",
    "verbose",
    "exclude",
  ],
  ...[
    "gracePeriodSeconds",
    "orphanDependents",
    "allowWatchBookmarks",
    "container",
    "command",
    "stdin",
  ],
  ...[
    "stdout",
    "tailLines",
    "sinceTime",
    "ports",
    "follow",
    "uid",
    "ignoreStoreReadErrorWithClusterBreakingPotential",
  ],
];
const parameterValues = [
  ...[
    "",
    "0",
    "1",
    "-1",
    "true",
    "false",
    "t",
    "All",
    "Strict",
    "Warn",
    "Exact",
    "NotOlderThan",
    "a=b",
  ],
  ...[
    "a in (b,c)",
    "!a",
    "a!=b",
    "metadata.name=a",
    "status.phase!=x",
    "((",
    "a,,b",
    "=,=",
    "9223372036854775807",
  ],
  ...[
    "9223372036854775808",
    "1e3",
    "1s",
    "1ms",
    "-1s",
    "None",
    "Metadata",
    "Object",
    "Foreground",
    "Orphan",
  ],
  ...["eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEsInN0YXJ0IjoiYVx1MDAwMCJ9", "e30", "bnVsbA", "%%"],
];
const parameter = fc.tuple(
  fc.constantFrom(...parameterNames),
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...parameterValues) },
    { weight: 1, arbitrary: anyText(12).map((text) => text.toWellFormed()) },
  ),
);
const query = fc.oneof(
  { weight: 8, arbitrary: fc.constant("") },
  {
    weight: 4,
    arbitrary: fc
      .array(parameter, { minLength: 1, maxLength: 4 })
      .map((parameters) => new URLSearchParams(parameters).toString()),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("&&&", "=", "a=%zz", "watch", ";;", "limit=1&limit=x", "%00=%ff"),
  },
);

const mediaTypes = [
  ...["*/*", "application/yaml", "text/html", "application/json;as=Table;v=v1;g=meta.k8s.io"],
  ...[
    "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
    "application/cbor",
    ",;=",
    "a/b;q=x",
  ],
  ...[
    "application/vnd.kubernetes.protobuf",
    "application/json;stream=watch",
    "application/json;as=x;v=;g=",
  ],
  ...[
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
    "application/json;q=0",
  ],
];
const headerText = fc.string({ maxLength: 20 }).map((text) => text.trim());
const possibleHeaders: Readonly<Record<string, fc.Arbitrary<string>>> = {
  accept: fc.oneof(fc.constantFrom(...mediaTypes), headerText),
  "user-agent": fc.oneof(fc.constantFrom("kubectl/v1.34 (x)", "/", "\u00e9/1"), headerText),
  "accept-encoding": fc.constantFrom("gzip", "br", "gzip;q=0", "*", ",,"),
  "if-none-match": headerText,
  "audit-id": headerText,
  "impersonate-user": fc.constantFrom("jane", "", "system:anonymous", "system:serviceaccount:a:b"),
  "impersonate-group": fc.constantFrom("a", "system:masters", ""),
  "impersonate-uid": fc.constantFrom("1", ""),
  "impersonate-extra-a%2fb": fc.constantFrom("x", "%zz"),
  "x-remote-user": fc.constant("admin"),
  authorization: fc.constantFrom("Bearer", "Bearer a.b.c", "Basic YTpi", "bearer  ", "x"),
  connection: fc.constantFrom("Upgrade", "close", "x"),
  upgrade: fc.constantFrom("SPDY/3.1", "websocket", "h2c", "x"),
  "sec-websocket-key": fc.constantFrom("dGhlIHNhbXBsZSBub25jZQ==", "x"),
  "sec-websocket-version": fc.constantFrom("13", "x"),
  "sec-websocket-protocol": fc.constantFrom(
    "v5.channel.k8s.io",
    "base64url.bearer.authorization.k8s.io.eA",
    "x",
  ),
  "x-stream-protocol-version": fc.constantFrom("v4.channel.k8s.io", "x"),
  "content-encoding": fc.constantFrom("gzip", "x"),
  range: fc.constant("bytes=0-1"),
};
const headers: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc
      .subarray(Object.keys(possibleHeaders), { minLength: 1, maxLength: 3 })
      .chain((names) =>
        fc.record(
          Object.fromEntries(names.map((each) => [each, possibleHeaders[each] ?? headerText])),
        ),
      ),
  },
);

type Target = Pick<FuzzRequest, "method" | "path"> & { readonly body?: SentBody };

/** Something that one does with objects of a kind. */
function use(subject: Subject): fc.Arbitrary<Target> {
  const at = fc.tuple(place, name, subresource);
  const one = at.map(([where, which, part]) => `${collectionOf(subject, where)}/${which}${part}`);
  const all = fc
    .tuple(place, fc.boolean())
    .map(([where, every]) => collectionOf(subject, every ? "" : where));
  const methodOn = (method: string, path: fc.Arbitrary<string>) =>
    path.map((each): Target => ({ method, path: each }));
  const send = (method: string, path: fc.Arbitrary<string>, body: fc.Arbitrary<SentBody>) =>
    fc.record({ method: fc.constant(method), path, body });
  const here = place.map((where) => collectionOf(subject, where));
  return fc.oneof(
    { weight: 8, arbitrary: send("POST", here, objectBody(subject)) },
    { weight: 5, arbitrary: send("PUT", one, objectBody(subject)) },
    { weight: 6, arbitrary: send("PATCH", one, patchBody(subject)) },
    { weight: 2, arbitrary: methodOn("GET", one) },
    { weight: 2, arbitrary: methodOn("GET", all) },
    { weight: 1, arbitrary: methodOn("DELETE", one) },
    { weight: 1, arbitrary: send("DELETE", one, deleteBody) },
    { weight: 1, arbitrary: send("POST", one, objectBody(subject)) },
    { weight: 1, arbitrary: send("POST", here, strayBody) },
    { weight: 1, arbitrary: send("PATCH", one, strayBody) },
  );
}

/** Something that leads who knows where. */
const stray: fc.Arbitrary<Target> = fc.record(
  {
    method: fc.constantFrom(
      "GET",
      "POST",
      "PUT",
      "PATCH",
      "DELETE",
      "HEAD",
      "OPTIONS",
      "TRACE",
      "SEARCH",
    ),
    path: segments.map((path) => `/${path}`),
    body: strayBody,
  },
  { requiredKeys: ["method", "path"] },
);

const target: fc.Arbitrary<readonly [Target, Subject | undefined]> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.oneof(
      ...subjects.map((subject) => use(subject).map((each) => [each, subject] as const)),
    ),
  },
  { weight: 1, arbitrary: stray.map((each) => [each, undefined] as const) },
);

const cutAfter = fc.oneof(
  { weight: 60, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.nat({ max: 2000 }) },
);

export const request: fc.Arbitrary<FuzzRequest> = fc
  .tuple(target, query, headers, cutAfter, fc.boolean())
  .map(([[{ body, ...rest }, subject], asked, sent, cut, isTry]) => {
    const isDry = subject?.dryRunOnly || isTry;
    return {
      ...rest,
      query: isDry && rest.method !== "GET" ? `dryRun=All&${asked}` : asked,
      headers: sent,
      ...(body && { body }),
      ...(body && cut !== undefined && { cutAfter: cut }),
    };
  });
