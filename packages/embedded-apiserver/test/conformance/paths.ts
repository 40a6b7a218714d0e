import type { Exchange, Scenario } from "@rookery/testing";

const maps = "/api/v1/namespaces/{ns}/configmaps";
const group = "/apis/conformance.rookery.dev/v1";
const labels = { path: "{ns}" };
const mine = "labelSelector=path%3D{ns}";

const ask = (path: string, query = mine, method = "GET"): Exchange => ({
  what: `${method} ${path}?${query}`.slice(0, 120),
  path: "",
  raw: [
    `${method} ${path}${query === "" ? "" : `?${query}`} HTTP/1.1`,
    ...["host: localhost", "connection: close", "accept: application/json", "", ""],
  ].join("\r\n"),
});

const made: readonly Exchange[] = [
  {
    what: "a ConfigMap to be found",
    path: maps,
    body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "found", labels } },
  },
  {
    what: "a Widget to be found",
    path: `${group}/namespaces/{ns}/widgets`,
    body: {
      apiVersion: "conformance.rookery.dev/v1",
      kind: "Widget",
      spec: { size: 3, parts: [{ name: "a", count: 1 }] },
      metadata: { name: "found", labels },
    },
  },
];

/** Of a kind that is compiled in, and of a custom one: a real server leads to them by different ways. */
const kinds = [
  ["/api/v1", "configmaps"],
  [group, "widgets"],
] as const;

const segments = kinds.flatMap(([version, plural]) => [
  ...[
    `${version}/namespaces//${plural}`,
    `${version}/namespaces/%2F${plural}`,
    `${version}/namespaces//${plural}/found`,
    `${version}//namespaces/{ns}/${plural}`,
    `${version}/namespaces/{ns}//${plural}`,
    `${version}/namespaces/{ns}/${plural}//`,
    `${version}/namespaces/{ns}/${plural}///found`,
    `${version}/namespaces/{ns}/${plural}/found/`,
    `${version}/namespaces/{ns}/${plural}/found//`,
    `${version}/namespaces/{ns}/${plural}/found//x`,
    `${version}/namespaces/{ns}/${plural}/found/x/y`,
    `${version}/namespaces%2F{ns}%2f${plural}`,
    `${version}/name%73paces/{ns}/${plural}/%66ound`,
    `${version}/namespaces/./${plural}`,
    `${version}/namespaces/../${plural}`,
    `${version}/namespaces/{ns}/../{ns}/${plural}`,
    `${version}/namespaces/{ns}/%2e%2e/{ns}/${plural}`,
    `${version}/namespaces/{ns}%00/${plural}`,
    `${version}/namespaces/{ns}/${plural}/a%00b`,
    `${version}/namespaces/{ns}/${plural}/a%252Fb`,
    `${version}/namespaces/{ns}/${plural};a=b`,
    `${version}/namespaces/{ns}/${plural}/found;x`,
    `${version}/namespaces/{ns}/${plural}/found#x`,
    `/${version}/namespaces/{ns}/${plural}`,
    `/%2f${version}/namespaces/{ns}/${plural}`,
    `${version.replace("/", "/%61").replace("%61a", "%61")}/namespaces/{ns}/${plural}`,
    `${version}/Namespaces/{ns}/${plural}`,
    `${version}/${plural}/`,
    `${version}//${plural}`,
    `${version}/${plural}/found`,
    `${version}/watch`,
    `${version}/watch/`,
    `${version}/proxy/namespaces/{ns}/${plural}/found`,
  ].map((path) => ask(path)),
  ...["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"].map((method) =>
    ask(`${version}/namespaces//${plural}`, mine, method),
  ),
  ask(`${version}/namespaces//${plural}/found`, mine, "DELETE"),
]);

const around: readonly Exchange[] = [
  ...["//", "/.", "//api", "/apis//", "/apis//v1/x", "/apis/apps//", "/apis/apps//v1", "/api//v1"],
  ...["/healthz/", "/healthz//ping", "//version", "/api/v1/watch/namespaces//status"],
].map((path) => ask(path, ""));

const queries: readonly Exchange[] = [
  ...["watch=0;", "watch=%zz", "watch=0&watch=1", "watch=false&watch=true", "WATCH=1", "limit=1;"],
  ...["a;b=c", "%zz=1", "limit=%zz", "pretty=%zz", "&&=&", "watch=False"],
].map((query) => ask(maps, `${query}&${mine}`));

/** What clients tidy up before they send it, and attackers do not. */
export const paths: readonly Scenario[] = [
  { name: "paths", exchanges: [...made, ...segments, ...around, ...queries] },
];
