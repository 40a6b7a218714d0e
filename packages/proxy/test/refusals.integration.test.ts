import assert from "node:assert/strict";
import { text as streamText } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { connect } from "node:tls";
import { createTransport, loadConfig, type Transport } from "@rookery/client";
import type { HttpRequest } from "@rookery/http";
import { type Kubernetes, startKubernetes } from "@rookery/testing";
import { request, text } from "./passing-world.ts";
import { type RunningProxy, startProxy } from "./start-proxy.ts";
import { mapping, realGroup, virtualGroup, widget, widgetCrd } from "./widgets.ts";

const inNamespace = (group: string) => `/apis/${group}/v1/namespaces/default/widgets`;

/** The default instance of the app is there as well, with objects of its own. */
describe("two instances in one cluster", () => {
  let kubernetes: Kubernetes;
  let proxy: RunningProxy;
  let transport: Transport;

  before(async () => {
    kubernetes = await startKubernetes({ private: true });
    for (const group of [virtualGroup, realGroup]) await kubernetes.applyCrd(widgetCrd(group));
    await create(virtualGroup, "of-the-default");
    await create(realGroup, "of-the-instance");
    const args = [`--upstream=${kubernetes.kubeconfig}`, mapping];
    proxy = await startProxy(kubernetes.description.kubectl, args);
    transport = createTransport(await loadConfig({ path: proxy.kubeconfig }), { retries: 0 });
  });
  after(async () => {
    await transport?.destroy();
    await proxy?.[Symbol.asyncDispose]();
    await kubernetes?.[Symbol.asyncDispose]();
  });

  async function create(group: string, name: string): Promise<void> {
    const body = { ...widget(name), apiVersion: `${group}/v1` };
    const { status } = await kubernetes.request("POST", inNamespace(group), { body });
    assert.equal(status, 201);
  }

  async function ask(parts: Partial<HttpRequest>) {
    const response = await transport.handler(request(parts));
    const type = String(response.headers["content-type"]);
    return { status: response.status, type, body: await text(response) };
  }

  test("the app sees its own objects, and not those of the other", async () => {
    const { body } = await ask({ path: inNamespace(virtualGroup) });
    assert.match(body, /of-the-instance/);
    assert.doesNotMatch(body, /of-the-default/);
    assert.doesNotMatch(body, new RegExp(realGroup.replaceAll(".", "\\.")));
    assert.equal((await ask({ path: `${inNamespace(virtualGroup)}/of-the-default` })).status, 404);
  });

  test("discovery tells of one group of widgets, the app's own", async () => {
    const lines = (await proxy.kubectl(["api-resources"])).split("\n");
    const widgets = lines.filter((line) => line.startsWith("widgets "));
    assert.equal(widgets.length, 1, widgets.join("\n"));
    assert.match(widgets[0] ?? "", / shop\.example\.dev\/v1 /);
  });

  test("what it deletes is its own", async () => {
    await create(realGroup, "gone");
    await create(virtualGroup, "gone");
    await proxy.kubectl(["delete", "widgets", "--field-selector=metadata.name=gone"]);
    const left = async (group: string) =>
      (await kubernetes.request("GET", `${inNamespace(group)}/gone`)).status;
    assert.deepEqual([await left(realGroup), await left(virtualGroup)], [404, 200]);
  });

  test("an owner of the other instance stays the other's when it is written back", async () => {
    const found = await kubernetes.request("GET", `${inNamespace(virtualGroup)}/of-the-default`);
    const owner = {
      apiVersion: `${virtualGroup}/v1`,
      kind: "Widget",
      name: "of-the-default",
      uid: found.body.metadata.uid,
    };
    const metadata = { name: "foreign", ownerReferences: [owner] };
    const path = "/api/v1/namespaces/default/configmaps/foreign";
    const body = { apiVersion: "v1", kind: "ConfigMap", metadata };
    await kubernetes.request("POST", path.replace("/foreign", ""), { body });
    const seen = JSON.parse((await ask({ path })).body);
    assert.equal(seen.metadata.ownerReferences[0].apiVersion, `${realGroup}/v1`);
    const headers = { "content-type": "application/json" };
    const changed = Buffer.from(JSON.stringify({ ...seen, data: { a: "b" } }));
    const written = await ask({ method: "PUT", path, headers, body: changed });
    assert.equal(written.status, 200, written.body);
    const stored = await kubernetes.request("GET", path);
    assert.deepEqual(stored.body.data, { a: "b" });
    assert.equal(stored.body.metadata.ownerReferences[0].apiVersion, `${virtualGroup}/v1`);
  });

  describe("a path that names the real group", () => {
    const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    const encoded = realGroup.replace(".", "%2E").replace("s", "%73");
    const paths = [
      `/apis/${realGroup}`,
      `/apis/${realGroup}/v1`,
      inNamespace(realGroup),
      `${inNamespace(realGroup)}/of-the-instance`,
      inNamespace(encoded),
      `//apis/${realGroup}/v1/widgets`,
      `/apis//${realGroup}/v1/widgets`,
      `/apis/./${realGroup}/v1/widgets`,
      `/apis/x/../${realGroup}/v1/widgets`,
      `/apis/x/%2e%2e/${realGroup}/v1/widgets`,
      `/apis%2F${realGroup}/v1/widgets`,
      `/api/v1/../../apis/${realGroup}/v1/widgets`,
      `/apis/${realGroup.toUpperCase()}/v1/widgets`,
      `/apis/${realGroup}/v1/watch/widgets`,
      `/openapi/v3/apis/${realGroup}/v1`,
      `${crds}/widgets.${realGroup}`,
    ];
    for (const path of paths) {
      test(`${path} is not there`, async () => {
        const { status, body } = await raw(path);
        assert.ok(status >= 400 && status < 500, `${status} ${body}`);
        assert.doesNotMatch(body, /of-the-instance/);
      });
    }

    test("is refused with a Status, as a group that nobody knows", async () => {
      const { status, type, body } = await ask({ path: inNamespace(realGroup) });
      assert.deepEqual([status, type], [404, "application/json"]);
      const { reason, message } = JSON.parse(body);
      assert.equal(reason, "NotFound");
      assert.equal(message, "the server could not find the requested resource");
    });
  });

  /** Sends a path as it is, which clients would tidy. */
  async function raw(path: string): Promise<{ status: number; body: string }> {
    const { port } = new URL(proxy.appUrl);
    const { user } = await loadConfig({ path: proxy.kubeconfig });
    const socket = connect({ port: Number(port), host: "127.0.0.1", ca: await proxy.ca() });
    const lines = [
      `GET ${path} HTTP/1.1`,
      "host: localhost",
      "connection: close",
      `authorization: Bearer ${user.token}`,
    ];
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    const answer = await streamText(socket);
    return { status: Number(answer.split(" ")[1]), body: answer };
  }

  describe("a body that cannot be renamed", () => {
    const json = { "content-type": "application/json" };
    const path = inNamespace(virtualGroup);
    const good = Buffer.from(JSON.stringify(widget("x")));
    const rows: Record<string, [status: number, reason: string, parts: Partial<HttpRequest>]> = {
      "no JSON": [400, "BadRequest", { headers: json, body: Buffer.from("{nonsense") }],
      "half of a JSON": [400, "BadRequest", { headers: json, body: good.subarray(0, 20) }],
      "JSON that is called Protobuf": [
        400,
        "BadRequest",
        { headers: { "content-type": "application/vnd.kubernetes.protobuf" }, body: good },
      ],
      "CBOR, which clients fall back from": [
        415,
        "UnsupportedMediaType",
        { headers: { "content-type": "application/cbor" }, body: good },
      ],
      "an encoding that nobody knows": [
        415,
        "UnsupportedMediaType",
        { headers: { "content-type": "application/x-nothing" }, body: good },
      ],
      "gzip, which API servers do not take": [
        415,
        "UnsupportedMediaType",
        { headers: { ...json, "content-encoding": "gzip" }, body: good },
      ],
    };
    for (const [name, [status, reason, parts]] of Object.entries(rows)) {
      test(`${name}: ${status}`, async () => {
        const answer = await ask({ method: "POST", path, ...parts });
        assert.equal(answer.status, status, answer.body);
        assert.equal(JSON.parse(answer.body).reason, reason);
      });
    }

    test("nothing of them is stored", async () => {
      const { body } = await kubernetes.request("GET", `/apis/${realGroup}/v1/widgets`);
      assert.deepEqual(
        body.items.map((item: { metadata: { name: string } }) => item.metadata.name),
        ["of-the-instance"],
      );
    });
  });

  test("an answer that is asked for in CBOR alone is not acceptable", async () => {
    const headers = { accept: "application/cbor" };
    assert.equal((await ask({ path: inNamespace(virtualGroup), headers })).status, 406);
    const both = { accept: "application/cbor,application/json" };
    const { status, type } = await ask({ path: inNamespace(virtualGroup), headers: both });
    assert.deepEqual([status, type], [200, "application/json"]);
  });

  test("no token and no Secret is in the log", async () => {
    const stringData = { password: "s3cret-value" };
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, stringData };
    await proxy.kubectl(["create", "-f", "-"], { stdin: JSON.stringify(secret) });
    await proxy.kubectl(["get", "secret", "s", "-o", "yaml"]);
    const { user } = await loadConfig({ path: proxy.kubeconfig });
    assert.match(proxy.log, /namespaces\/default\/secrets/);
    assert.ok(user.token && !proxy.log.includes(user.token));
    assert.doesNotMatch(proxy.log, /s3cret-value|czNjcmV0LXZhbHVl/);
  });
});
