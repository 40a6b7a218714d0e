import { virtualGroup, widget } from "./widgets.ts";

/** One request of the script, as the app sends it. */
export interface Step {
  readonly method?: string;
  readonly path: string;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: string | object;
  /** Whether the answer is a failure; a watch tells of it later. */
  readonly fails?: boolean;
}

export const forms = {
  json: "application/json",
  yaml: "application/yaml",
  table: "application/json;as=Table;v=v1;g=meta.k8s.io",
  metadata: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
  metadataList: "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
  protobuf: "application/vnd.kubernetes.protobuf",
  protobufMetadata:
    "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
  protobufMetadataList:
    "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
  aggregatedDiscovery: "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
  protobufDiscovery:
    "application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
  protobufOpenApi: "application/com.github.proto-openapi.spec.v2@v1.0+protobuf",
} as const;

const base = `/apis/${virtualGroup}/v1/namespaces/diff/widgets`;
const core = "/api/v1/namespaces/diff";
const rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/diff/roles";
const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

const sar = {
  apiVersion: "authorization.k8s.io/v1",
  kind: "SelfSubjectAccessReview",
  spec: { resourceAttributes: { group: virtualGroup, resource: "widgets", verb: "get" } },
};
const role = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "Role",
  metadata: { name: "seller" },
  rules: [{ apiGroups: [virtualGroup, ""], resources: ["widgets"], verbs: ["get"] }],
};
const applied = `apiVersion: ${virtualGroup}/v1
kind: Widget
metadata: {name: applied}
spec: {size: 4}
`;

/** What changes something, in this order. */
export const writes: Readonly<Record<string, Step>> = {
  "create in JSON": { method: "POST", path: base, body: widget("a") },
  "create in YAML, answered in YAML": {
    method: "POST",
    path: base,
    contentType: forms.yaml,
    accept: forms.yaml,
    body: `apiVersion: ${virtualGroup}/v1\nkind: Widget\nmetadata:\n  name: yam # why\nspec:\n  size: 2\n`,
  },
  "create answered as a Table": {
    method: "POST",
    path: base,
    accept: forms.table,
    body: widget("t"),
  },
  "create in the other version": {
    method: "POST",
    path: base.replace("v1/", "v1beta1/"),
    body: { ...widget("old"), apiVersion: `${virtualGroup}/v1beta1` },
  },
  "create of what is there": {
    fails: true,
    method: "POST",
    path: base,
    body: widget("a"),
  },
  "create of what is invalid": {
    fails: true,
    method: "POST",
    path: base,
    body: widget("b", { size: 500 }),
  },
  "create with another kind's apiVersion": {
    fails: true,
    method: "POST",
    path: base,
    body: { ...widget("x"), apiVersion: "other.example.org/v1" },
  },
  "merge patch": {
    method: "PATCH",
    path: `${base}/a`,
    contentType: "application/merge-patch+json",
    body: { apiVersion: `${virtualGroup}/v1`, spec: { size: 9 } },
  },
  "JSON patch": {
    method: "PATCH",
    path: `${base}/a`,
    contentType: "application/json-patch+json",
    body: [
      { op: "test", path: "/apiVersion", value: `${virtualGroup}/v1` },
      { op: "replace", path: "/spec/size", value: 10 },
    ],
  },
  "JSON patch whose test fails": {
    fails: true,
    method: "PATCH",
    path: `${base}/a`,
    contentType: "application/json-patch+json",
    body: [{ op: "test", path: "/apiVersion", value: "other.example.org/v1" }],
  },
  "strategic merge patch, which custom resources do not take": {
    fails: true,
    method: "PATCH",
    path: `${base}/a`,
    contentType: "application/strategic-merge-patch+json",
    body: { spec: { size: 1 } },
  },
  "apply patch": {
    method: "PATCH",
    path: `${base}/applied?fieldManager=script`,
    contentType: "application/apply-patch+yaml",
    body: applied,
  },
  "apply patch that conflicts": {
    fails: true,
    method: "PATCH",
    path: `${base}/applied?fieldManager=other`,
    contentType: "application/apply-patch+yaml",
    body: applied.replace("4", "5"),
  },
  "status patch": {
    method: "PATCH",
    path: `${base}/a/status`,
    contentType: "application/merge-patch+json",
    body: { status: { replicas: 2 } },
  },
  "scale patch": {
    method: "PATCH",
    path: `${base}/a/scale`,
    contentType: "application/merge-patch+json",
    body: { spec: { replicas: 6 } },
  },
  "update of what is not there": {
    fails: true,
    method: "PUT",
    path: `${base}/none`,
    body: widget("none"),
  },
  "create of a Role": { method: "POST", path: rbac, body: role },
  "create of an access review": {
    method: "POST",
    path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    body: sar,
  },
  "create of an access review, answered in Protobuf": {
    method: "POST",
    path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    accept: forms.protobuf,
    body: sar,
  },
  "create of a rules review": {
    method: "POST",
    path: "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
    body: {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectRulesReview",
      spec: { namespace: "diff" },
    },
  },
};

/** Each of these paths in each of these forms. */
const reads: readonly (readonly [path: string, forms: readonly (keyof typeof forms)[]])[] = [
  [base, ["json", "yaml", "table", "metadataList", "protobufMetadataList"]],
  [`${base}?limit=2`, ["json", "table", "protobufMetadataList"]],
  [`${base}/a`, ["json", "yaml", "table", "metadata", "protobufMetadata"]],
  [`${base}/none`, ["json", "yaml", "protobuf"]],
  [`${base}/a/scale`, ["json", "protobuf"]],
  [base.replace("v1/", "v1beta1/"), ["json"]],
  [`/apis/${virtualGroup}/v1/widgets`, ["json"]],
  [`/apis/${virtualGroup}/v9/widgets`, ["json"]],
  [`/apis/${virtualGroup}/v1/nothings`, ["json"]],
  [`${core}/configmaps/owned`, ["json", "yaml", "protobuf", "table", "protobufMetadata"]],
  [`${core}/configmaps?fieldSelector=metadata.name%3Downed`, ["protobuf", "table"]],
  [`${core}/configmaps`, ["protobufMetadataList", "table"]],
  [`${rbac}/seller`, ["json", "yaml", "protobuf"]],
  [`${crds}/widgets.${virtualGroup}`, ["json", "yaml", "table", "protobuf", "metadata"]],
  [crds, ["json", "table", "protobuf", "protobufMetadataList"]],
  [`${crds}?fieldSelector=metadata.name%3Dwidgets.${virtualGroup}`, ["json"]],
  ["/apis", ["json", "yaml", "aggregatedDiscovery", "protobufDiscovery", "protobuf"]],
  [`/apis/${virtualGroup}`, ["json", "protobuf"]],
  [`/apis/${virtualGroup}/v1`, ["json", "protobuf"]],
  ["/openapi/v2", ["json", "protobufOpenApi"]],
  ["/openapi/v3", ["json"]],
  [`/openapi/v3/apis/${virtualGroup}/v1`, ["json"]],
  ["/version", ["json"]],
];

/** What only looks, by a sentence each. */
export const looks: Readonly<Record<string, Step>> = Object.fromEntries(
  reads.flatMap(([path, wanted]) =>
    wanted.map((form) => {
      const fails = /none|v9|nothings/.test(path) || (/scale/.test(path) && form === "protobuf");
      return [`${path} as ${form}`, { path, accept: forms[form], fails }];
    }),
  ),
);

const initial = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";

/** So long that a server which gets no time for seconds sends all that is there. */
const ending = "timeoutSeconds=4";
/** Two seconds before the end there would be another bookmark, or not. */
const endingSoon = "timeoutSeconds=2";

/** Watches that end by themselves. */
export const watches: Readonly<Record<string, Step>> = {
  "as JSON": { path: `${base}?watch=1&resourceVersion=0&${ending}` },
  "as a Table": {
    path: `${base}?watch=1&resourceVersion=0&${ending}`,
    accept: forms.table,
  },
  "with the list as events": { path: `${base}?watch=1&${endingSoon}&${initial}` },
  "of metadata in Protobuf": {
    path: `${base}?watch=1&${endingSoon}&${initial}`,
    accept: `${forms.protobufMetadata}`,
  },
  "of owned objects in Protobuf": {
    path: `${core}/configmaps?watch=1&${ending}&resourceVersion=0&fieldSelector=metadata.name%3Downed`,
    accept: `${forms.protobuf};stream=watch`,
  },
  "from a state that is no more": { path: `${base}?watch=1&resourceVersion=1&${ending}` },
};

/** What deletes, in this order. */
export const deletions: Readonly<Record<string, Step>> = {
  "of one, with a precondition that fails": {
    fails: true,
    method: "DELETE",
    path: `${base}/a`,
    body: {
      apiVersion: `${virtualGroup}/v1`,
      kind: "DeleteOptions",
      preconditions: { uid: "00000000-0000-0000-0000-000000000000" },
    },
  },
  "of one": {
    method: "DELETE",
    path: `${base}/a`,
    body: { apiVersion: `${virtualGroup}/v1`, kind: "DeleteOptions", propagationPolicy: "Orphan" },
  },
  "of all": { method: "DELETE", path: base, accept: forms.yaml },
  "of what is not there": { fails: true, method: "DELETE", path: `${base}/none` },
};
