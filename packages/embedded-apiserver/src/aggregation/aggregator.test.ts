import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createApiServer, type Serving } from "@rookery/apiserver";
import { Context, collectBody, type HttpHeaders } from "@rookery/http";
import type { KubeObject, RequestInfo } from "@rookery/kube";
import { createCertificateAuthority } from "@rookery/pki";
import { FakeClock } from "@rookery/testing";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { type Aggregator, createAggregator } from "./aggregator.ts";
import { type ApiService, apiServiceResource } from "./api-service.ts";

const group = "far.example.com";

interface Remote extends AsyncDisposable {
  readonly port: number;
  readonly caBundle: string;
  readonly seen: HttpHeaders[];
}

/** Another API server, which notes what it is asked with. */
async function startRemote(): Promise<Remote> {
  const authority = await createCertificateAuthority({ commonName: "far" });
  const leaf = await authority.issue({
    commonName: "far",
    usages: ["server"],
    dnsNames: ["far.there.svc"],
  });
  const seen: HttpHeaders[] = [];
  const thing = {
    plural: "things",
    singular: "thing",
    kind: "Thing",
    namespaced: false,
    schema: { type: "object" },
    handlers: {
      list: () => ({ apiVersion: `${group}/v1`, kind: "ThingList", metadata: {}, items: [] }),
    },
  } as const;
  const server = createApiServer({
    groups: [{ name: group, versions: [{ name: "v1", resources: [thing] }] }],
    authenticate: ({ headers }) => {
      seen.push(headers);
      return { name: "anyone", groups: [] };
    },
    authorize: () => ({ decision: "Allow" }),
    onError: () => {},
  });
  const tls = { cert: leaf.certificate, key: leaf.key };
  const serving: Serving = await server.serve({ host: "127.0.0.1", port: 0, tls });
  return {
    port: serving.port,
    caBundle: Buffer.from(authority.certificate).toString("base64"),
    seen,
    [Symbol.asyncDispose]: () => serving[Symbol.asyncDispose](),
  };
}

async function put(store: Store, resource: string, object: object): Promise<void> {
  const { metadata } = object as KubeObject;
  const { name = "", namespace = "" } = metadata;
  const expected = store.get({ resource, namespace, name })?.revision ?? 0;
  await store.write({ resource, namespace, name, expected, object: object as KubeObject });
}

const apiService = (change: object = {}): ApiService => ({
  apiVersion: "apiregistration.k8s.io/v1",
  kind: "APIService",
  metadata: { name: `v1.${group}` },
  spec: {
    group,
    version: "v1",
    groupPriorityMinimum: 100,
    versionPriority: 10,
    service: { name: "far", namespace: "there", port: 443 },
    ...change,
  },
});

const service = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "far", namespace: "there" },
  spec: { type: "ClusterIP", ports: [{ name: "https", port: 443 }] },
};

const slice = (port: number, ready = true) => ({
  apiVersion: "discovery.k8s.io/v1",
  kind: "EndpointSlice",
  metadata: {
    name: "far-1",
    namespace: "there",
    labels: { "kubernetes.io/service-name": "far" },
  },
  ports: [{ name: "https", port }],
  endpoints: [{ addresses: ["127.0.0.1"], conditions: { ready } }],
});

describe("an aggregator", () => {
  let remote: Remote;
  const certificate = { certificate: "", key: "" };

  before(async () => {
    remote = await startRemote();
    const frontProxy = await createCertificateAuthority({ commonName: "front-proxy" });
    const leaf = await frontProxy.issue({ commonName: "front-proxy-client", usages: ["client"] });
    Object.assign(certificate, leaf);
  });
  after(() => remote[Symbol.asyncDispose]());

  async function scene() {
    const store = await openStore({ folder: "" });
    const clock = new FakeClock();
    const custom = [{ name: "zoo.example.com", versions: [{ name: "v1", resources: [] }] }];
    const aggregator = createAggregator({
      store,
      now: clock.date,
      timers: { setTimer: clock.setTimer.bind(clock) },
      builtIn: [
        { name: "", versions: [{ name: "v1", resources: [] }] },
        { name: "apps", versions: [{ name: "v1", resources: [] }] },
      ],
      custom: () => custom,
      certificate: () => certificate,
      onError: (error) => {
        throw error;
      },
    });
    await aggregator.settled();
    return { store, clock, aggregator, custom };
  }

  const conditionOf = (store: Store) => {
    const entry = store.get({ resource: apiServiceResource, namespace: "", name: `v1.${group}` });
    const { conditions = [] } = (entry?.object as ApiService | undefined)?.status ?? {};
    const [{ status, reason, message } = {}] = conditions;
    return [status, reason, message];
  };

  const infoOf = (path: string, isResourceRequest: boolean): RequestInfo =>
    ({ path, isResourceRequest, group, version: "v1" }) as RequestInfo;

  async function ask(aggregator: Aggregator, path: string, headers: HttpHeaders = {}) {
    const { handler } = createApiServer({
      groups: [],
      delegation: aggregator,
      authenticate: () => ({
        name: "jane",
        uid: "7",
        groups: ["a", "b"],
        extra: { "example.com/x": ["1"] },
      }),
      authorize: () => ({ decision: "Allow" }),
      onError: () => {},
    });
    const response = await handler({
      method: "GET",
      path,
      query: "",
      headers,
      signal: new AbortController().signal,
      context: Context.empty,
    });
    const body = await collectBody(response.body, { limit: 1 << 20 });
    return { status: response.status, text: Buffer.from(body).toString() };
  }

  it("registers what this server serves, and forgets custom kinds that are gone", async () => {
    const { store, aggregator, custom } = await scene();
    const names = () => store.list(apiServiceResource).entries.map(({ name }) => name);
    assert.deepEqual(names(), ["v1.", "v1.apps", "v1.zoo.example.com"]);
    const [core] = store.list(apiServiceResource).entries;
    assert.deepEqual(core?.object.spec, {
      version: "v1",
      groupPriorityMinimum: 18_000,
      versionPriority: 1,
    });
    custom.pop();
    aggregator.syncCustom();
    await aggregator.settled();
    assert.deepEqual(names(), ["v1.", "v1.apps"]);
    await aggregator[Symbol.asyncDispose]();
  });

  it("registers a custom kind anew where someone deletes it, and puts a changed one right", async () => {
    const { store, aggregator } = await scene();
    const key = { resource: apiServiceResource, namespace: "", name: "v1.zoo.example.com" };
    const stored = () => store.get(key)?.object as ApiService | undefined;
    const spec = stored()?.spec;
    await store.write({ ...key, expected: store.get(key)?.revision ?? 0, object: undefined });
    await aggregator.settled();
    assert.deepEqual(stored()?.spec, spec);
    const service = { name: "far", namespace: "there", port: 443 };
    const changed = { ...stored(), spec: { ...spec, service } };
    await put(store, apiServiceResource, changed);
    await aggregator.settled();
    assert.deepEqual(stored()?.spec, spec);
    const metadata = { ...stored()?.metadata, labels: {} };
    await put(store, apiServiceResource, { ...changed, metadata });
    await aggregator.settled();
    assert.deepEqual(stored()?.spec?.service, service);
    await aggregator[Symbol.asyncDispose]();
  });

  it("says why another server can't be asked", async () => {
    const { store, aggregator } = await scene();
    const expect = async (...expected: unknown[]) => {
      await aggregator.settled();
      assert.deepEqual(conditionOf(store), expected);
    };
    await put(store, apiServiceResource, apiService());
    await expect("False", "ServiceNotFound", 'service/far in "there" is not present');
    await put(store, "services", { ...service, spec: { type: "ClusterIP", ports: [] } });
    await expect(
      "False",
      "ServicePortError",
      'service/far in "there" is not listening on port 443',
    );
    await put(store, "services", service);
    const missing = 'cannot find endpointslices for service/far in "there"';
    await expect("False", "EndpointsNotFound", missing);
    await put(store, "endpointslices.discovery.k8s.io", slice(remote.port, false));
    const idle =
      'endpointslices for service/far in "there" have no addresses with port name "https"';
    await expect("False", "MissingEndpoints", idle);
    assert.deepEqual(await ask(aggregator, `/apis/${group}/v1/things`), {
      status: 503,
      text: "service unavailable\n",
    });
    await aggregator[Symbol.asyncDispose]();
  });

  it("hands requests on, with who asks, and tells what is served there", async () => {
    const { store, aggregator } = await scene();
    await put(store, "services", service);
    await put(store, "endpointslices.discovery.k8s.io", slice(remote.port));
    await put(store, apiServiceResource, apiService({ caBundle: remote.caBundle }));
    await aggregator.settled();
    assert.deepEqual(conditionOf(store), ["True", "Passed", "all checks passed"]);
    const { status, text } = await ask(aggregator, `/apis/${group}/v1/things`, {
      authorization: "Bearer secret",
      "x-remote-user": "root",
    });
    assert.deepEqual([status, JSON.parse(text).kind], [200, "ThingList"]);
    const headers = remote.seen.at(-1) ?? {};
    assert.equal(headers["x-remote-user"], "jane");
    assert.equal(headers["x-remote-uid"], "7");
    assert.deepEqual([headers["x-remote-group"]].flat().join().replaceAll(" ", ""), "a,b");
    assert.equal(headers["x-remote-extra-example.com%2fx"], "1");
    assert.equal(headers.authorization, undefined);
    const [delegated] = aggregator.groups();
    assert.equal(delegated?.name, group);
    assert.equal(delegated?.versions[0]?.freshness, "Current");
    assert.match(JSON.stringify(delegated?.versions[0]?.resources), /"resource":"things"/);
    assert.deepEqual(Object.keys(aggregator.openApiPaths()), [`apis/${group}/v1`]);
    assert.ok(aggregator.handlerOf(infoOf(`/apis/${group}/v1`, false)));
    assert.ok(aggregator.handlerOf(infoOf(`/openapi/v3/apis/${group}/v1`, false)));
    assert.equal(aggregator.handlerOf(infoOf("/apis", false)), undefined);
    await aggregator[Symbol.asyncDispose]();
  });

  it("keeps what it knew of one that is gone, as stale, and comes back by itself", async () => {
    const { store, clock, aggregator } = await scene();
    await put(store, "services", service);
    await put(store, "endpointslices.discovery.k8s.io", slice(remote.port));
    await put(store, apiServiceResource, apiService({ caBundle: remote.caBundle }));
    await aggregator.settled();
    await put(store, "endpointslices.discovery.k8s.io", slice(1));
    await aggregator.settled();
    const [status, reason, message] = conditionOf(store);
    assert.deepEqual([status, reason], ["False", "FailedDiscoveryCheck"]);
    const url = `https://127.0.0.1:1/apis/${group}/v1`;
    assert.equal(
      message,
      `failing or missing response from ${url}: Get "${url}": dial tcp 127.0.0.1:1: connect: connection refused`,
    );
    const [version] = aggregator.groups()[0]?.versions ?? [];
    assert.equal(version?.freshness, "Stale");
    assert.equal(version?.resources.length, 1);
    assert.ok(clock.timers > 0);
    await aggregator[Symbol.asyncDispose]();
  });

  it("believes no certificate of another name", async () => {
    const { store, aggregator } = await scene();
    await put(store, "services", { ...service, metadata: { name: "other", namespace: "there" } });
    const other = {
      ...slice(remote.port),
      metadata: {
        name: "o",
        namespace: "there",
        labels: { "kubernetes.io/service-name": "other" },
      },
    };
    await put(store, "endpointslices.discovery.k8s.io", other);
    const wrong = { name: "other", namespace: "there", port: 443 };
    await put(store, apiServiceResource, apiService({ caBundle: remote.caBundle, service: wrong }));
    await aggregator.settled();
    const { status, text } = await ask(aggregator, `/apis/${group}/v1/things`);
    assert.equal(status, 503);
    assert.match(text, /x509: certificate is valid for far\.there\.svc, not other\.there\.svc/);
    await aggregator[Symbol.asyncDispose]();
  });
});
