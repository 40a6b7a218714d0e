import assert from "node:assert/strict";
import { after, before, describe, it, test } from "node:test";
import { createHttpServer, type Handler, type HttpServer } from "@rookery/http";
import type { KubeObject } from "@rookery/kube";
import { createCertificateAuthority } from "@rookery/pki";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { parseAnswer, WebhookClients } from "./webhook-client.ts";

const json = { "content-type": "application/json" };

/** Answers by its path. */
const answers: Readonly<Record<string, Handler>> = {
  "/good": ({ query }) => ({
    status: 200,
    headers: json,
    body: Buffer.from(JSON.stringify({ query })),
  }),
  "/missing": () => ({ status: 404, headers: {}, body: Buffer.from("nothing") }),
  "/broken": () => ({ status: 500, headers: {}, body: Buffer.from("oh no") }),
  "/empty": () => ({ status: 200, headers: json }),
  "/slow": ({ signal }) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
};

describe("a webhook is asked", () => {
  let server: HttpServer;
  let store: Store;
  let clients: WebhookClients;
  let caBundle = "";
  let other = "";

  before(async () => {
    const authority = await createCertificateAuthority({ commonName: "hooks" });
    const leaf = await authority.issue({
      commonName: "hook",
      usages: ["server"],
      dnsNames: ["hook.there.svc"],
      ipAddresses: ["127.0.0.1"],
    });
    caBundle = Buffer.from(authority.certificate).toString("base64");
    const stranger = await createCertificateAuthority({ commonName: "stranger" });
    other = Buffer.from(stranger.certificate).toString("base64");
    server = createHttpServer({
      handler: (request) => (answers[request.path] as Handler)(request),
      tls: { cert: leaf.certificate, key: leaf.key },
      onError: () => {},
    });
    await server.listen({ host: "127.0.0.1", port: 0 });
    store = await openStore({ folder: "" });
    clients = new WebhookClients(store);
  });

  after(async () => {
    await clients[Symbol.asyncDispose]();
    await server.close({ graceMs: 0 });
  });

  const put = async (resource: string, name: string, rest: object) => {
    const namespace = "there";
    const metadata = { name, namespace };
    const object = { apiVersion: "v1", kind: "Any", metadata, ...rest } as KubeObject;
    await store.write({ resource, namespace, name, expected: 0, object });
  };
  const url = (path: string) => `https://127.0.0.1:${server.address.port}${path}`;
  const post = (config: object, timeoutSeconds = 30, signal = new AbortController().signal) =>
    clients.post({ config, body: {}, timeoutSeconds, signal });

  it("by its URL, and told how long it may take", async () => {
    assert.deepEqual(await post({ url: url("/good"), caBundle }), { query: "timeout=30s" });
  });

  it("by a Service that leads to it, under the name of the Service", async () => {
    const { port } = server.address;
    await put("services", "hook", { spec: { type: "ClusterIP", ports: [{ port: 443 }] } });
    await put("endpoints", "hook", {
      subsets: [{ addresses: [{ ip: "127.0.0.1" }], ports: [{ port }] }],
    });
    const service = { namespace: "there", name: "hook", path: "/good" };
    assert.deepEqual(await post({ service, caBundle }), { query: "timeout=30s" });
  });

  const failures: Record<string, [() => Promise<unknown>, RegExp]> = {
    "has another authority": [
      () => post({ url: url("/good"), caBundle: other }),
      /: tls: failed to verify certificate: x509: certificate signed by unknown authority$/,
    ],
    "is not there": [
      () => post({ url: "https://127.0.0.1:1/x", caBundle }),
      /^WebhookCallError: Post "https:\/\/127\.0\.0\.1:1\/x\?timeout=30s": dial tcp 127\.0\.0\.1:1: connect: connection refused$/,
    ],
    "takes too long": [
      () => post({ url: url("/slow"), caBundle }, 0.05),
      /: context deadline exceeded$/,
    ],
    "is waited for by nobody": [
      () => post({ url: url("/slow"), caBundle }, 30, AbortSignal.abort()),
      /: context canceled$/,
    ],
    "has no such path": [
      () => post({ url: url("/missing"), caBundle }),
      /the server could not find the requested resource/,
    ],
    breaks: [
      () => post({ url: url("/broken"), caBundle }),
      /an error on the server \("oh no"\) has prevented the request from succeeding/,
    ],
    "says nothing": [
      () => post({ url: url("/empty"), caBundle }),
      /0-length response with status code: 200 and content type: application\/json/,
    ],
    "is behind a Service that is not there": [
      () => post({ service: { namespace: "there", name: "none" }, caBundle }),
      /Post "https:\/\/none\.there\.svc:443\/\?timeout=30s": services "none" not found$/,
    ],
    "is behind a Service without that port": [
      () => post({ service: { namespace: "there", name: "hook", port: 8443 }, caBundle }),
      /no service port 8443 found for service "hook"$/,
    ],
  };
  for (const [name, [ask, why]] of Object.entries(failures)) {
    it(`and it is told why one fails that ${name}`, () => assert.rejects(ask, why));
  }
});

test("an answer is an object, in JSON or YAML", () => {
  assert.deepEqual(parseAnswer('{"a":1}'), { a: 1 });
  assert.deepEqual(parseAnswer("a: 1\n"), { a: 1 });
});

test("what is no object is refused in Go's words", () => {
  const refused = (text: string, why: RegExp) => assert.throws(() => parseAnswer(text), why);
  refused("nonsense", /^WebhookCallError: .*json: cannot unmarshal string into Go value of type/);
  refused("[1]", /cannot unmarshal array/);
  refused("{ [", /json parse error: invalid character/);
});
