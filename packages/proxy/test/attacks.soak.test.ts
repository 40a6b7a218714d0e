import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { encodeEnvelope, protobufMediaType, WireWriter } from "@rookery/kube";
import { compareHonest } from "./path-fuzz/honest.ts";
import { changesOf, leakOf } from "./path-fuzz/run.ts";
import type { WireAnswer, WireRequest } from "./path-fuzz/send.ts";
import {
  type FuzzedProxy,
  type FuzzWorld,
  hidden,
  knownName,
  startFuzzWorld,
} from "./path-fuzz/world.ts";
import { realGroup, virtualGroup } from "./widgets.ts";

const json = ["content-type", "application/json"] as const;
const merge = ["content-type", "application/merge-patch+json"] as const;
const webSocket = [
  ["connection", "Upgrade"],
  ["upgrade", "websocket"],
  ["origin", "http://localhost"],
  ["sec-websocket-version", "13"],
  ["sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="],
] as const;
const asTable = ["accept", "application/json;as=Table;v=v1;g=meta.k8s.io"] as const;
const authorization = "/apis/authorization.k8s.io/v1";

const to = (method: string, target: string, ...headers: WireRequest["headers"]): WireRequest => ({
  transport: "http1",
  method,
  target,
  headers,
});
const get = (target: string, ...headers: WireRequest["headers"]) => to("GET", target, ...headers);
const withBody = (request: WireRequest, body: object | string): WireRequest => ({
  ...request,
  headers: request.headers.length > 0 ? request.headers : [json],
  body: typeof body === "string" ? body : JSON.stringify(body),
});
const overHttp2 = (request: WireRequest): WireRequest => ({ ...request, transport: "http2" });

describe("attacks by an app behind a proxy", () => {
  let world: FuzzWorld;
  before(async () => {
    world = await startFuzzWorld();
  });
  after(() => world?.[Symbol.asyncDispose]());

  const narrowing = () => world.proxies.filter(({ narrows }) => narrows);

  /** Sends these by proxies, and makes sure that nothing of others came or changed. */
  async function tryBy(
    proxies: readonly FuzzedProxy[],
    requests: readonly WireRequest[],
  ): Promise<readonly WireAnswer[]> {
    const earlier = await world.foreignState();
    const answers: WireAnswer[] = [];
    for (const proxy of proxies) {
      for (const request of requests) {
        const answer = await proxy.wire.send(request);
        const what = `${request.method} ${request.target} by ${proxy.name}`;
        assert.equal(leakOf(answer, proxy), undefined, what);
        answers.push(answer);
      }
    }
    assert.deepEqual(changesOf(earlier, await world.foreignState()), []);
    return answers;
  }

  async function tryAll(...requests: readonly WireRequest[]): Promise<void> {
    await tryBy(narrowing(), requests);
  }

  /** The same, where none of it is to be done at all. */
  async function refuseAll(...requests: readonly WireRequest[]): Promise<void> {
    refused(await tryBy(narrowing(), requests));
  }

  function refused(answers: readonly WireAnswer[]): void {
    for (const { status, body } of answers) {
      assert.ok(status === 0 || status >= 400, `${status} ${body.toString().slice(0, 300)}`);
    }
  }

  test("an app reads the Secrets of all namespaces by an empty segment in the path", () =>
    refuseAll(
      get("/api/v1/namespaces//secrets"),
      get("/api/v1/namespaces/%2Fsecrets"),
      get("/api/v1/name%73paces//secrets/"),
      get(`/api/v1/namespaces//secrets/${knownName}`),
      get(`/apis/${realGroup}/v1/namespaces//widgets`),
      overHttp2(get("/api/v1/namespaces//secrets")),
    ));

  test("an app watches the Secrets of all namespaces by an empty segment in the path", () =>
    refuseAll(
      get("/api/v1/namespaces//secrets?watch=1"),
      get("/api/v1/watch/namespaces//secrets"),
      get("/api/v1/namespaces//secrets?watch=1", ...webSocket),
      overHttp2(get("/api/v1/watch/namespaces//secrets", ...webSocket)),
    ));

  test("an app watches all namespaces over WebSocket, whose frames nobody filters", () =>
    refuseAll(
      get("/api/v1/secrets?watch=1", ...webSocket),
      get("/api/v1/watch/secrets", ...webSocket),
      get("/api/v1/namespaces?watch=1", ...webSocket),
      overHttp2(get("/api/v1/secrets?watch=1", ...webSocket)),
      overHttp2(get("/api/v1/watch/pods", ...webSocket)),
    ));

  test("an app watches custom resources of all namespaces by an old path and a method that writes", () =>
    refuseAll(
      ...["POST", "PUT", "PATCH", "DELETE"].map((method) =>
        withBody(to(method, `/apis/${realGroup}/v1/watch/widgets`), {}),
      ),
      get(`/apis/${realGroup}/v1/watch/widgets/${knownName}`),
    ));

  test("an app makes a watch pass for a list, and a list for a watch, by a query that servers read otherwise", () =>
    tryAll(
      ...[
        "watch=0;&watch=1",
        "watch=%zz&watch=1",
        "%77atch=1",
        "watch=1;",
        "watch=0&watch=1",
        "watch=false&watch",
      ].map((query) => get(`/api/v1/secrets?${query}`)),
    ));

  test("an app deletes the Namespace of others, or lets it end", () =>
    refuseAll(
      to("DELETE", "/api/v1/namespaces/theirs-a"),
      to("DELETE", "/api/v1/namespaces%2Ftheirs-a/"),
      to("DELETE", "/api/v1/namespaces"),
      withBody(to("PUT", "/api/v1/namespaces/theirs-a/finalize"), {
        apiVersion: "v1",
        kind: "Namespace",
        metadata: { name: "theirs-a" },
        spec: {},
      }),
      withBody(to("PATCH", "/api/v1/namespaces/theirs-a/status", merge), {
        status: { phase: "x" },
      }),
      withBody(to("PATCH", "/api/v1/namespaces/theirs-a", merge), {
        metadata: { labels: { a: "b" } },
      }),
    ));

  test("an app reads what others have written on their Namespaces", async () => {
    await refuseAll(
      get("/api/v1/namespaces/theirs-a"),
      get("/api/v1/watch/namespaces/theirs-a"),
      get("/api/v1/namespaces/theirs-a/status"),
    );
    await tryAll(
      get("/api/v1/namespaces"),
      get("/api/v1/namespaces", asTable),
      get("/api/v1/namespaces", ["accept", protobufMediaType]),
      get("/api/v1/namespaces?watch=1"),
      get("/api/v1/watch/namespaces"),
      get("/api/v1/namespaces?labelSelector=kubernetes.io/metadata.name%3Dtheirs-a"),
      get("/api/v1/namespaces?labelSelector=a%20in%20(b&labelSelector=x"),
      get("/api/v1/namespaces?labelSelector=a;&fieldSelector=metadata.name%3Dtheirs-a"),
    );
  });

  test("an app makes a Namespace that belongs to others", async () => {
    const make = (metadata: object) =>
      withBody(to("POST", "/api/v1/namespaces"), { apiVersion: "v1", kind: "Namespace", metadata });
    await refuseAll(make({ name: "theirs-a" }), make({ generateName: "theirs-" }), make({}));
    // Behind an exclusion, a name that is not excluded is the app's own.
    const named = narrowing().filter(({ name }) => name !== "all but some");
    refused(await tryBy(named, [make({ name: "theirs-new" })]));
  });

  test("an app reaches pods of others by a node's kubelet", async () => {
    const answers = await tryBy(narrowing(), [
      get("/api/v1/nodes/n/proxy/pods"),
      get("/api/v1/nodes/n:10250/proxy/runningpods/"),
      get("/api/v1/nodes/https:n:10250/proxy/containerLogs/theirs-a/p/c"),
      get("/api/v1/nodes/n/proxy/exec/theirs-a/p/c?command=sh", ...webSocket),
      to("POST", "/api/v1/nodes/n/proxy/run/theirs-a/p/c"),
    ]);
    // By the proxy: the API server would look for the node first.
    for (const { status } of answers) assert.equal(status, 403);
  });

  test("an app leaves the pod behind a proxy subresource by dots in the path", () =>
    refuseAll(
      get("/api/v1/namespaces/mine-a/pods/x/proxy/../../../../theirs-a/secrets"),
      get("/api/v1/namespaces/mine-a/services/x/proxy/%2e%2e/%2e%2e/%2E%2E/theirs-a/secrets"),
      get("/api/v1/namespaces/mine-a/services/x/proxy/..%2f..%2f..%2ftheirs-a/secrets"),
      get("/api/v1/namespaces/mine-a/../theirs-a/secrets"),
    ));

  test("an app deletes a definition, and with it the objects of all namespaces", () =>
    refuseAll(
      to("DELETE", `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${realGroup}`),
      to(
        "DELETE",
        `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${virtualGroup}`,
      ),
      to("DELETE", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"),
    ));

  test("an app deletes, or writes, in all namespaces at once", () =>
    refuseAll(
      to("DELETE", "/api/v1/secrets"),
      to("DELETE", "/api/v1/namespaces//secrets"),
      to("DELETE", `/apis/${realGroup}/v1/widgets?labelSelector=canary`),
      ...["/api/v1/configmaps", "/api/v1/namespaces//configmaps"].map((path) =>
        withBody(to("POST", path), {
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { name: "new", namespace: "theirs-a" },
        }),
      ),
    ));

  test("an app writes into another namespace by that of the body", () =>
    refuseAll(
      withBody(to("POST", "/api/v1/namespaces/mine-a/configmaps"), {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "new", namespace: "theirs-a" },
      }),
      withBody(to("PUT", `/api/v1/namespaces/mine-a/configmaps/${knownName}`), {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: knownName, namespace: "theirs-a" },
      }),
    ));

  test("an app reads and changes events of others where events of cluster-scoped objects are written", () =>
    refuseAll(
      get(`/api/v1/namespaces/default/events/${knownName}`),
      withBody(to("PATCH", `/api/v1/namespaces/default/events/${knownName}`, merge), { count: 9 }),
      withBody(to("PUT", `/api/v1/namespaces/default/events/${knownName}`), {}),
      to("DELETE", "/api/v1/namespaces/default/events"),
      withBody(to("POST", "/api/v1/namespaces/default/events"), {
        apiVersion: "v1",
        kind: "Event",
        metadata: { name: "forged" },
        involvedObject: { kind: "Pod", namespace: "default", name: knownName },
      }),
    ));

  test("an app learns by reviews of access how roles of others are called", async () => {
    const attributes = { namespace: "theirs-a", resource: "pods", verb: "get" };
    const review = { apiVersion: "authorization.k8s.io/v1", kind: "SubjectAccessReview" };
    const spec = { user: "reviewed", resourceAttributes: attributes };
    const raw = new WireWriter().message(2, (message) => {
      message.message(1, (inner) => void inner.string(1, "mine-a"));
      message.message(1, (inner) => void inner.string(1, "theirs-a"));
    });
    const packed = encodeEnvelope({ typeMeta: review, raw: raw.finish() }).finish();
    await refuseAll(
      withBody(to("POST", `${authorization}/subjectaccessreviews`), { ...review, spec }),
      withBody(to("POST", `${authorization}/namespaces/theirs-a/localsubjectaccessreviews`), {
        spec,
      }),
      withBody(to("POST", `${authorization}/selfsubjectrulesreviews`), { spec: attributes }),
      withBody(
        to("POST", `${authorization}/subjectaccessreviews`, ["content-type", protobufMediaType]),
        Buffer.from(packed).toString("latin1"),
      ),
      withBody(
        to("POST", `${authorization}/subjectaccessreviews`, ["content-type", "application/yaml"]),
        "spec: {}",
      ),
    );
    const twice = JSON.stringify({ ...review, spec }).replace(/}$/, ',"spec":{"user":"reviewed"}}');
    await tryAll(withBody(to("POST", `${authorization}/subjectaccessreviews`), twice));
  });

  test("an app goes on with a list of others by their continue token", () =>
    tryAll(
      ...world.continueTokens.flatMap((token) =>
        ["/api/v1/secrets", "/api/v1/namespaces/mine-a/secrets"].map((path) =>
          get(`${path}?limit=500&continue=${token}`),
        ),
      ),
    ));

  test("an app hides namespaces in forms of an answer that nobody filters", () =>
    tryAll(
      ...[
        "application/json; as = Table;v=v1;g=meta.k8s.io",
        'application/json;as="Table";v=v1;g=meta.k8s.io',
        "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io",
        "application/vnd.kubernetes.protobuf;stream=watch",
        "application/json;stream=watch",
        "application/cbor",
        "application/yaml",
        "",
      ].flatMap((accept) =>
        ["", "?includeObject=None", "?watch=1&includeObject=None", "?includeO%62ject=None"].map(
          (query) =>
            get(`/api/v1/secrets${query}`, ["accept", accept], ["accept-encoding", "gzip"]),
        ),
      ),
    ));

  test("an app has another method, or another path, taken by headers", () =>
    tryAll(
      get("/api/v1/namespaces/mine-a/secrets", ["x-http-method-override", "DELETE"]),
      get("/api/v1/namespaces/mine-a/secrets", [
        "x-original-url",
        "/api/v1/namespaces/theirs-a/secrets",
      ]),
      get("/api/v1/namespaces/mine-a/secrets", [
        "x-rewrite-url",
        "/api/v1/namespaces/theirs-a/secrets",
      ]),
      get("http://localhost/api/v1/namespaces//secrets"),
    ));

  test("an app sends a second request in the body of the first", () => {
    const second = "GET /api/v1/namespaces/theirs-a/secrets HTTP/1.1\r\nhost: localhost\r\n\r\n";
    const first = (headers: WireRequest["headers"]) =>
      withBody(
        to("POST", "/api/v1/namespaces/mine-a/configmaps", ...headers),
        `0\r\n\r\n${second}`,
      );
    return tryAll(
      first([["transfer-encoding", "chunked"], json]),
      first([["transfer-encoding", "chunked, identity"], json]),
      first([["content-length", "3"], json]),
      first([json]),
    );
  });

  test("an app reads logs, metrics and profiles of the API server", () =>
    refuseAll(
      ...["/logs/", "/metrics", "/debug/pprof/", "/configz", "/statusz", "/flagz", "/%6cogs/"].map(
        (path) => get(path),
      ),
    ));

  test("an app finds the name of its group in the cluster, or what belongs to another instance", async () => {
    const renaming = world.proxies.filter(({ renames }) => renames);
    const widgets = `/apis/${virtualGroup}/v1/widgets`;
    await tryBy(renaming, [
      get("/"),
      get("/apis"),
      get("/openapi/v3", ["accept", "application/json"]),
      get(widgets),
      get(`${widgets}?watch=1`, ...webSocket),
      overHttp2(get(`${widgets}?watch=1`, ...webSocket)),
      get(`/apis/${hidden.virtual}/v1/widgets?watch=1`, ...webSocket),
      get(`/apis/${hidden.virtual}/v1/namespaces/mine-a/widgets/x/log`),
      get(`//apis/${virtualGroup}/v1/widgets`),
      get(`/apis//${virtualGroup}/v1/widgets`),
      get(`/apis%2F${virtualGroup}%2Fv1%2Fwidgets`),
      get(`/apis/apps/../${virtualGroup}/v1/widgets`),
      get(`/apis/${virtualGroup}%00/v1/widgets`),
    ]);
  });

  test("the app itself, and its neighbours, go on as before", () =>
    compareHonest(world, { seed: 7, count: 100 }));
});
