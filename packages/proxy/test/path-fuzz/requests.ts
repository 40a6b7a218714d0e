import { realGroup, virtualGroup } from "../widgets.ts";
import type { Random } from "./random.ts";
import type { WireRequest } from "./send.ts";
import { hidden, knownName, mine, theirs } from "./world.ts";

export interface RequestOptions {
  readonly renames: boolean;
  /** Behind some proxies whatever is written may be so. */
  readonly readsOnly: boolean;
  readonly continueTokens: readonly [string, ...string[]];
}

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const authorization = "/apis/authorization.k8s.io/v1";
const widgetsOf = (renames: boolean) => `/apis/${renames ? virtualGroup : realGroup}/v1`;

/** A request that nobody should get too much by, whatever is wrong with it. */
export function createRequest(random: Random, options: RequestOptions): WireRequest {
  if (random.oneIn(25)) return watchByWebSocket(random, options);
  const transport = random.oneIn(6) ? "http2" : "http1";
  const method = methodOf(random, options);
  const path = mangled(random, pathOf(random, options));
  const query = queryOf(random, options);
  const body = bodyOf(random, method);
  const headers = headersOf(random, transport, body !== undefined);
  const origin = transport === "http1" && random.oneIn(40) ? "http://localhost" : "";
  const target = `${origin}${path}${query === "" ? "" : `?${query}`}`;
  return { transport, method, target, headers, ...(body !== undefined && { body }) };
}

/** A watch of all namespaces that would go on as something else than HTTP. */
function watchByWebSocket(random: Random, { renames }: RequestOptions): WireRequest {
  const [version, resource] = resourceOf(random, renames);
  const transport = random.oneIn(4) ? "http2" : "http1";
  const headers: [string, string][] = [];
  addUpgrade(random, (name, value) => headers.push([name, value]));
  const path = random.pick([`${version}/${resource}`, `${version}/watch/${resource}`]);
  return { transport, method: "GET", target: `${path}?watch=1`, headers };
}

function methodOf(random: Random, { readsOnly }: RequestOptions): string {
  if (readsOnly || !random.oneIn(3)) return random.pick(["GET", "GET", "GET", "GET", "HEAD"]);
  const usual = ["POST", "PUT", "PATCH", "DELETE", "DELETE"] as const;
  return random.oneIn(6)
    ? random.pick(["OPTIONS", "TRACE", "get", "PURGE", "LIST", "CONNECT"])
    : random.pick(usual);
}

const core = ["secrets", "configmaps", "pods", "services", "serviceaccounts", "events"] as const;
const subresources = [
  "status",
  "log",
  "exec",
  "attach",
  "portforward",
  "proxy",
  "proxy/a/b",
  "eviction",
  "binding",
  "token",
  "scale",
  "finalize",
  "x",
] as const;
const others = [
  "/",
  "/api",
  "/api/v1",
  "/apis",
  "/apis/apps/v1",
  "/openapi/v2",
  "/openapi/v3",
  "/version",
  "/healthz",
  "/logs/",
  "/debug/pprof/",
  "/readyz/x",
  "/api/v1/nodes",
  "/api/v1/nodes/n/proxy/",
  "/api/v1/nodes/n/proxy/pods",
  "/api/v1/persistentvolumes",
  "/.well-known/openid-configuration",
] as const;

function pathOf(random: Random, { renames }: RequestOptions): string {
  if (random.oneIn(12)) return random.pick(others);
  if (random.oneIn(10))
    return `/api/v1${watchPrefix(random)}/namespaces${someOf(random, [`/${namespaceOf(random)}`, ""])}${someOf(random, ["", "", "/status", "/finalize"])}`;
  if (random.oneIn(20))
    return random.pick([
      `${authorization}/subjectaccessreviews`,
      `${authorization}/selfsubjectrulesreviews`,
      `${authorization}/namespaces/${namespaceOf(random)}/localsubjectaccessreviews`,
    ]);
  const [version, resource] = resourceOf(random, renames);
  const namespace = someOf(random, [
    "",
    "/namespaces/",
    `/namespaces/${namespaceOf(random)}`,
    `/namespaces/${namespaceOf(random)}`,
  ]);
  const name = someOf(random, ["", "", `/${random.pick([knownName, "second", "new"])}`]);
  const sub = name !== "" && random.oneIn(3) ? `/${random.pick(subresources)}` : "";
  return `${version}${watchPrefix(random)}${namespace}/${resource}${name}${sub}`;
}

function resourceOf(
  random: Random,
  renames: boolean,
): readonly [version: string, resource: string] {
  const widgets = random.oneIn(3) && renames ? `/apis/${hidden.virtual}/v1` : widgetsOf(renames);
  return random.pick<readonly [string, string]>([
    ["/api/v1", random.pick(core)],
    ["/api/v1", random.pick(core)],
    [widgets, "widgets"],
    [widgets, "widgets"],
    ["/apis/coordination.k8s.io/v1", "leases"],
    [rbac, random.pick(["roles", "rolebindings"])],
  ]);
}

function namespaceOf(random: Random): string {
  return random.oneIn(3) ? random.pick(theirs) : random.pick(mine);
}

function watchPrefix(random: Random): string {
  return someOf(random, ["", "", "", "", "", "", "/watch", "/watch", "/proxy"]);
}

function someOf(random: Random, parts: readonly [string, ...string[]]): string {
  return random.pick(parts);
}

/** Ways in which a path may be read differently by two who read it. */
const manglers: readonly [Mangler, ...Mangler[]] = [
  (random, path) => inserted(random, path, "/", "/"),
  (random, path) => inserted(random, path, "/", "//"),
  (random, path) =>
    inserted(
      random,
      path,
      "/",
      `/${random.pick([".", "..", "%2e", "%2E%2e", "x/..", "..;", "%00", ";a=b", "%20", "%09", "%5c", "%252e%252e"])}`,
    ),
  (random, path) =>
    replaced(random, path, "/", random.pick(["%2F", "%2f", "%252F", "\\", "%5C", "//", "/%2F"])),
  (random, path) => escapedSomewhere(random, path),
  (random, path) =>
    path +
    random.pick([
      "/",
      "//",
      "/.",
      "/..",
      "%2f",
      "%00",
      "%",
      "%zz",
      "%ff",
      "\xff",
      ";",
      "#x",
      "?x=/",
      "%3Fwatch=1",
      ".json",
    ]),
  (random, path) => random.pick(["/", "//", "/.", "/x/..", "\\", "/%2F", ";", ""]) + path,
  (_, path) => path.toUpperCase(),
  (random, path) =>
    replaced(
      random,
      path,
      "namespaces/",
      random.pick([
        "namespaces//",
        "namespaces/",
        "namespaces/%2F",
        "Namespaces/",
        "namespaces;/",
        "namespace%73//",
        "namespaces/./",
      ]),
    ),
  (random, path) =>
    path.replace(
      /mine-[ab]/,
      random.pick([
        "",
        "*",
        "_all",
        "-",
        "mine-a,theirs-a",
        "mine-a%2f..%2ftheirs-a",
        "mine-a/../theirs-a",
        "%00mine-a",
        "mine-a%00",
        ".",
        "..",
      ]),
    ),
  (random, path) => path + "/x".repeat(random.below(2_000)),
];

type Mangler = (random: Random, path: string) => string;

function mangled(random: Random, path: string): string {
  let result = path;
  while (random.oneIn(2)) result = random.pick(manglers)(random, result);
  // A target that has a blank in it is two.
  return result.replace(/[ \r\n]/g, "");
}

/** Puts something before one of the places where `at` stands. */
function inserted(random: Random, path: string, at: string, what: string): string {
  const places = placesOf(path, at);
  const place = places[random.below(places.length)] ?? 0;
  return path.slice(0, place) + what + path.slice(place);
}

function replaced(random: Random, path: string, at: string, by: string): string {
  const places = placesOf(path, at);
  const place = places[random.below(places.length)];
  return place === undefined ? path : path.slice(0, place) + by + path.slice(place + at.length);
}

function placesOf(path: string, at: string): number[] {
  const places: number[] = [];
  for (let i = path.indexOf(at); i >= 0; i = path.indexOf(at, i + 1)) places.push(i);
  return places;
}

function escapedSomewhere(random: Random, path: string): string {
  const place = random.below(path.length);
  const code = path.charCodeAt(place).toString(16).padStart(2, "0");
  return `${path.slice(0, place)}%${random.oneIn(2) ? code.toUpperCase() : code}${path.slice(place + 1)}`;
}

function queryOf(random: Random, { continueTokens }: RequestOptions): string {
  const parameters: string[] = [];
  while (random.oneIn(2)) {
    parameters.push(
      random.pick([
        random.pick([
          "watch=1",
          "watch=true",
          "watch=TRUE",
          "watch=t",
          "watch",
          "watch=0",
          "watch=false",
          "%77atch=1",
          "watch=1;",
          "watch=%zz",
          "watch=0&watch=1",
          "watch=1&watch=0",
          "WATCH=1",
          "watch=False&watch=t",
        ]),
        random.pick([
          "watch=1",
          "watch=true&resourceVersion=0",
          "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true",
        ]),
        random.pick(["limit=1", "limit=500", "limit=x", "limit=1;"]),
        `continue=${random.pick(continueTokens)}&limit=${random.below(5)}`,
        random.pick([
          "resourceVersion=0",
          "resourceVersion=0&resourceVersionMatch=NotOlderThan",
          "resourceVersionMatch=Exact",
        ]),
        random.pick([
          "pretty=1",
          "pretty",
          "timeoutSeconds=1",
          "follow=true",
          "dryRun=All",
          "includeObject=None",
          "includeObject=Object",
          "includeObject=None&includeObject=Object",
          "propagationPolicy=Orphan",
          "fieldManager=x&force=1",
          "command=ls",
          "path=/",
        ]),
        `fieldSelector=${random.pick(["metadata.name=target", "metadata.namespace=theirs-a", "metadata.namespace%3Dtheirs-a", "metadata.name%3Dtarget%5C", "metadata.namespace!=mine-a", "x%5C", "%zz", "metadata.name=target;"])}`,
        `labelSelector=${random.pick(["canary", "canary%3Dzq7", "x%20in%20(a", "!x", "canary%5C", "kubernetes.io/metadata.name=theirs-a", ")", "a,"])}`,
        random.pick([
          "&",
          "=",
          ";",
          "%",
          "a=%zz",
          "watch=1&%zz",
          "\xff=1",
          `x=${"y".repeat(random.below(3_000))}`,
        ]),
      ]),
    );
  }
  return parameters.join("&");
}

const upgrades = ["websocket", "WebSocket", "SPDY/3.1", "h2c", "x", "websocket, SPDY/3.1"] as const;
const accepts = [
  "application/json",
  "application/json;as=Table;v=v1;g=meta.k8s.io",
  "application/json; as = Table;v=v1;g=meta.k8s.io",
  "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
  "application/json;stream=watch",
  "application/vnd.kubernetes.protobuf",
  "application/vnd.kubernetes.protobuf;stream=watch",
  "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io",
  "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
  "application/yaml",
  "application/cbor",
  "application/cbor-seq",
  "text/html",
  "*/*",
  "application/json;q=0,application/yaml",
  "",
] as const;

function headersOf(random: Random, transport: string, hasBody: boolean): [string, string][] {
  const headers: [string, string][] = [];
  const add = (name: string, value: string) => headers.push([name, value]);
  if (random.oneIn(2)) add("accept", random.pick(accepts));
  if (random.oneIn(5)) add("accept-encoding", random.pick(["gzip", "identity", "*", "gzip;q=1"]));
  if (hasBody) {
    const types = [
      "application/json",
      "application/json",
      "application/json",
      "application/merge-patch+json",
      "application/strategic-merge-patch+json",
      "application/apply-patch+yaml",
      "application/json-patch+json",
      "application/yaml",
    ] as const;
    add("content-type", random.pick(types));
  }
  if (random.oneIn(4)) addUpgrade(random, add);
  if (random.oneIn(20)) add("x-http-method-override", random.pick(["DELETE", "GET", "PUT"]));
  if (random.oneIn(20))
    add(
      random.pick(["x-forwarded-prefix", "x-original-url", "x-rewrite-url", "x-forwarded-uri"]),
      "/api/v1/secrets",
    );
  if (random.oneIn(20)) add("range", "bytes=0-10");
  if (transport === "http1" && random.oneIn(20)) add("te", "trailers");
  return headers;
}

function addUpgrade(random: Random, add: (name: string, value: string) => void): void {
  add(
    "connection",
    random.pick(["Upgrade", "Upgrade", "upgrade, close", "keep-alive, Upgrade", "close"]),
  );
  add("upgrade", random.pick(upgrades));
  add("origin", "http://localhost");
  add("sec-websocket-version", "13");
  add("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==");
  if (random.oneIn(2))
    add(
      "sec-websocket-protocol",
      random.pick(["v4.channel.k8s.io", "base64.binary.k8s.io", "v5.channel.k8s.io"]),
    );
}

function bodyOf(random: Random, method: string): string | undefined {
  if (method === "GET" || method === "HEAD") return random.oneIn(30) ? "{}" : undefined;
  if (method === "DELETE" && random.oneIn(2)) return undefined;
  const namespace = random.oneIn(2) ? { namespace: namespaceOf(random) } : {};
  const metadata = {
    name: random.pick([knownName, "new", "theirs-a", "mine-a"]),
    ...namespace,
    labels: { by: "fuzz" },
  };
  const { kind, apiVersion, rest } = random.pick([
    { kind: "ConfigMap", apiVersion: "v1", rest: { data: { by: "fuzz" } } },
    { kind: "Secret", apiVersion: "v1", rest: { data: {} } },
    { kind: "Namespace", apiVersion: "v1", rest: {} },
    { kind: "Widget", apiVersion: `${realGroup}/v1`, rest: { spec: { size: 1 } } },
    {
      kind: "Event",
      apiVersion: "v1",
      rest: { involvedObject: { kind: "Pod", name: knownName, ...namespace } },
    },
    { kind: "DeleteOptions", apiVersion: "v1", rest: {} },
    {
      kind: "SelfSubjectRulesReview",
      apiVersion: "authorization.k8s.io/v1",
      rest: { spec: { namespace: namespaceOf(random) } },
    },
    {
      kind: "SubjectAccessReview",
      apiVersion: "authorization.k8s.io/v1",
      rest: {
        spec: {
          user: "reviewed",
          resourceAttributes: { namespace: namespaceOf(random), resource: "pods", verb: "get" },
        },
      },
    },
  ]);
  const text = JSON.stringify({ kind, apiVersion, metadata, ...rest });
  return random.oneIn(10) ? text.replace("{", `{"metadata":{"namespace":"mine-a"},`) : text;
}
