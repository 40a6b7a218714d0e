/** A request that is sent to a real kube-apiserver and to this one. */
export interface Row {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export const group = "differential.testing.rookery.dev";
const base = `/apis/${group}/v1`;
const apiVersion = `${group}/v1`;
const json = { "content-type": "application/json" };
const yaml = { "content-type": "application/yaml" };
const good = JSON.stringify({
  apiVersion,
  kind: "Greeting",
  metadata: { name: "x" },
  spec: { name: "y" },
});
const table = "application/json;as=Table;v=v1;g=meta.k8s.io";

const create = (
  body: string,
  query = "",
  headers: Readonly<Record<string, string>> = json,
): Row => ({
  path: `${base}/greetings?dryRun=All${query}`,
  headers,
  body,
});
const withOption = (query: string): Row => ({
  path: `${base}/greetings?${query}`,
  headers: json,
  body: good,
});
const list = (query: string, accept = "application/json"): Row => ({
  path: `${base}/greetings?${query}`,
  headers: { accept },
});

/** Answered alike by kinds of CustomResourceDefinitions. */
export const customRows: Readonly<Record<string, Row>> = {
  "a body without a kind": create("{}"),
  "a body without an API version": create('{"kind":"Greeting"}'),
  "a body of another group": create('{"kind":"Greeting","apiVersion":"other/v1"}'),
  "a body of another version": create(`{"kind":"Greeting","apiVersion":"${group}/v2"}`),
  "a body of another kind": create(`{"kind":"Other","apiVersion":"${apiVersion}"}`),
  "an API version that is none": create('{"kind":"Greeting","apiVersion":"a/b/c"}'),
  "a kind that is a number": create('{"kind":3,"apiVersion":"a/b/c"}'),
  "a body that is cut off": create('{"kind"'),
  "a body with a word that is none": create('{"kind": nope}'),
  "a body with a comma too many": create('{"kind":"Greeting",}'),
  "a body with a colon too few": create('{"kind" "Greeting"}'),
  "a body with something after its end": create('{"kind":"Greeting"} x'),
  "a body with a bad escape": create('{"kind":"\\x"}'),
  "a body with a bad number": create('{"kind":-}'),
  "a list of nothing": create("[1 2]"),
  "a list": create("[]"),
  "a number": create("3"),
  nothing: create(""),
  "a content type that nobody knows": create("a: [", "", { "content-type": "text/plain" }),
  "a content type that is none": create("a: [", "", { "content-type": "a;b=" }),
  "a form that nobody can write": create("{}", "", { ...json, accept: "text/html" }),
  "unknown and repeated fields, strictly": create(
    `{"kind":"Greeting","apiVersion":"${apiVersion}","metadata":{"name":"x","foo":1},"spec":{"name":"y","a":1,"name":"z"},"b":2}`,
    "&fieldValidation=Strict",
  ),
  "unknown and repeated fields, with warnings": create(
    `{"kind":"Greeting","apiVersion":"${apiVersion}","metadata":{"name":"x","foo":1},"spec":{"name":"","a":1,"name":""},"b":2}`,
  ),
  "unknown and repeated fields of YAML, strictly": create(
    `kind: Greeting\napiVersion: ${apiVersion}\nmetadata:\n  name: x\nspec:\n  name: a\n  name: b\n  foo: 1\n`,
    "&fieldValidation=Strict",
    yaml,
  ),
  "unknown and repeated fields of YAML, with warnings": create(
    `kind: Greeting\napiVersion: ${apiVersion}\nmetadata:\n  name: x\nspec:\n  name: ""\n  name: ""\n  foo: 1\n`,
    "",
    yaml,
  ),
  "a value of the wrong type": create(
    `{"kind":"Greeting","apiVersion":"${apiVersion}","metadata":{"name":"x"},"spec":{"name":3}}`,
  ),
  "a required field that is missing": create(
    `{"kind":"Greeting","apiVersion":"${apiVersion}","metadata":{"name":"x"}}`,
  ),
  "metadata that is a number": create(
    `{"kind":"Greeting","apiVersion":"${apiVersion}","metadata":3,"spec":{"name":"a"}}`,
  ),
  "a name that is a number": create(
    `{"kind":"Greeting","apiVersion":"${apiVersion}","metadata":{"name":3},"spec":{"name":"a"}}`,
  ),
  "another namespace than the path's": {
    path: `${base}/namespaces/default/waves?dryRun=All`,
    headers: json,
    body: `{"kind":"Wave","apiVersion":"${apiVersion}","metadata":{"name":"a","namespace":"x"},"spec":{"name":"a"}}`,
  },
  "a create outside of namespaces": { path: `${base}/waves`, headers: json, body: "{}" },
  "a kind without namespaces in one": { path: `${base}/namespaces/x/greetings` },
  "dryRun that is none": withOption("dryRun=x"),
  "dryRun twice, one bad": withOption("dryRun=All&dryRun=x"),
  "dryRun that is empty": withOption("dryRun="),
  "fieldValidation that is none": withOption("dryRun=All&fieldValidation=foo"),
  "fieldManager that is too long": withOption(`dryRun=All&fieldManager=${"a".repeat(130)}`),
  "fieldManager that can't be printed, and more": withOption(
    "dryRun=All&fieldManager=%01&foo=bar&fieldValidation=x",
  ),
  "timeout that is none": withOption("dryRun=All&timeout=x"),
  "timeout without a unit": list("timeout=5"),
  "limit that is no number": list("limit=x"),
  "limit that is too large": list("limit=9999999999999999999999"),
  "a label selector that is none": list("labelSelector=%21%21"),
  "a field selector that is none": list("fieldSelector=%21%21"),
  "a field that can't be selected by": list("fieldSelector=spec.foo%3D1"),
  "resourceVersionMatch that is none": list("resourceVersionMatch=x"),
  "resourceVersionMatch exactly of 0": list("resourceVersionMatch=Exact&resourceVersion=0"),
  "initial events of a list": list("sendInitialEvents=true"),
  "initial events of a watch without a match": list(
    "watch=1&sendInitialEvents=true&timeoutSeconds=1",
  ),
  "a watch with a match alone": list("watch=1&resourceVersionMatch=Exact"),
  "a watch with a time that is none": list("watch=1&timeoutSeconds=x"),
  "a Table with an object that is none": list("includeObject=x", table),
  "a Table of a version that is none": list("", table.replace("v1", "v2")),
  "partial metadata of a list": list("", table.replace("Table", "PartialObjectMetadata")),
  "no media range at all": list("", "foo"),
  "an object that is not there": { path: `${base}/greetings/x` },
  "a subresource that is not there": { path: `${base}/greetings/x/foo` },
  "a create of a subresource": { path: `${base}/greetings/x/status`, headers: json, body: "{}" },
  "an update without a name": {
    method: "PUT",
    path: `${base}/greetings`,
    headers: json,
    body: "{}",
  },
  "a method that nobody knows": { method: "FOO", path: `${base}/greetings` },
  "an update under another name": {
    method: "PUT",
    path: `${base}/greetings/z`,
    headers: json,
    body: good,
  },
  "an update of what is not there": {
    method: "PUT",
    path: `${base}/greetings/x`,
    headers: json,
    body: good,
  },
  "a patch of what is not there": {
    method: "PATCH",
    path: `${base}/greetings/x`,
    headers: { "content-type": "application/merge-patch+json" },
    body: "{}",
  },
  "an update in another namespace": {
    method: "PUT",
    path: `${base}/namespaces/default/waves/x`,
    headers: json,
    body: `{"kind":"Wave","apiVersion":"${apiVersion}","metadata":{"name":"x","namespace":"y"},"spec":{"name":"a"}}`,
  },
  "a patch with force": {
    method: "PATCH",
    path: `${base}/greetings/x?force=true`,
    headers: { "content-type": "application/merge-patch+json" },
    body: "{}",
  },
  "a deletion of what is not there": { method: "DELETE", path: `${base}/greetings/x` },
  "a deletion with a policy that is none": {
    method: "DELETE",
    path: `${base}/greetings/x?propagationPolicy=x`,
  },
  "a resource that is not there": { path: `${base}/foos` },
  "a version that is not there": { path: `/apis/${group}/v2/greetings` },
  "a group that is not there": { path: "/apis/nope.example.com/v1" },
  "a path that leads nowhere": { path: "/nope" },
};

const reviews = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
const review = (body: string, headers: Readonly<Record<string, string>> = json): Row => ({
  path: reviews,
  headers,
  body,
});

const configMaps = "/api/v1/namespaces/default/configmaps";

/** Answered alike by kinds that are compiled into an API server. */
export const builtInRows: Readonly<Record<string, Row>> = {
  "a list of what has none": { path: reviews },
  "an object of what has none": { path: `${reviews}/x` },
  "an update of what has none": { method: "PUT", path: `${reviews}/x` },
  "a deletion of what has none": { method: "DELETE", path: reviews },
  "a method that nobody knows": { method: "FOO", path: reviews },
  "another resource": { path: "/apis/authentication.k8s.io/v1/nope" },
  "a subresource": { path: `${reviews}/x/y` },
  "a kind that nobody knows": review('{"kind":"Foo","apiVersion":"authentication.k8s.io/v1"}'),
  "a kind of another group": review('{"kind":"SelfSubjectReview","apiVersion":"foo/v1"}'),
  "an API version that is none": review('{"kind":"SelfSubjectReview","apiVersion":"a/b/c"}'),
  "a kind that is a list": review('{"kind":[]}'),
  "a body that is cut off": review('{"kind": "Self'),
  "a content type that nobody knows": review("{}", { "content-type": "text/plain" }),
  "dryRun that is none": { ...review("{}"), path: `${reviews}?dryRun=x` },
  "a create outside of namespaces": { path: "/api/v1/configmaps", headers: json, body: "{}" },
  "an object outside of namespaces": { path: "/api/v1/configmaps/x" },
  "an update of all": { method: "PUT", path: `${configMaps}`, headers: json, body: "{}" },
  "a create of one": { method: "POST", path: `${configMaps}/x`, headers: json, body: "{}" },
  "an object that is not there": { path: `${configMaps}/x-not-there` },
  "an update under another name": {
    method: "PUT",
    path: `${configMaps}/x`,
    headers: json,
    body: '{"metadata":{"name":"y"}}',
  },
  "an update without a name inside": {
    method: "PUT",
    path: `${configMaps}/x`,
    headers: json,
    body: "{}",
  },
  "an update in another namespace": {
    method: "PUT",
    path: `${configMaps}/x`,
    headers: json,
    body: '{"metadata":{"name":"x","namespace":"other"}}',
  },
  "a field that can't be selected by": { path: `${configMaps}?fieldSelector=a%3Db` },
  "a list of the wrong name": { path: `${configMaps}?fieldSelector=metadata.name%3Da%2Cb%3Dc` },
};

/** Refused by authorization, whatever is served. */
export const forbiddenRows: Readonly<Record<string, Row>> = {
  "a create": create("{}"),
  "a list": list(""),
  "a list of one name": list("fieldSelector=metadata.name%3Da"),
  "a watch": list("watch=true"),
  "an object": { path: `${base}/greetings/x` },
  "a name like markup": { path: `${base}/greetings/x%3Cy%3E` },
  "a subresource in a namespace": { path: `${base}/namespaces/foo/waves/x/status` },
  "an update": { method: "PUT", path: `${base}/greetings/x`, headers: json, body: good },
  "a deletion of all": { method: "DELETE", path: `${base}/namespaces/foo/waves` },
  "a path that is no resource": { path: "/nope" },
  "a path with a quote": { path: "/no%22pe" },
  "impersonation of a user": {
    path: `${base}/greetings`,
    headers: { "impersonate-user": "someone" },
  },
  "impersonation of a service account": {
    path: `${base}/greetings`,
    headers: { "impersonate-user": "system:serviceaccount:a:b" },
  },
};
