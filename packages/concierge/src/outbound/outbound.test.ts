import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { collectBody, createHttpServer, type Handler, type HttpServer } from "@rookery/http";
import { createCertificateAuthority } from "@rookery/pki";
import { OutboundError } from "../errors.ts";
import { dialTls } from "./dial.ts";
import { getJson, openWebhook } from "./json-exchange.ts";

const { signal } = new AbortController();
const json = (status: number, text: string, headers: Record<string, string> = {}) => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: Buffer.from(text),
});

const pages: Record<string, Handler> = {
  "/good": () => json(200, '{"a":1}'),
  "/text": () => json(200, "secret-text"),
  "/missing": () => json(404, "{}"),
  "/moved": () => json(302, "", { location: "/good" }),
  "/long": () => json(200, `"${"x".repeat(2 * 1024 * 1024)}"`),
  "/echo": async ({ body, method }) => {
    const bytes = await collectBody(body, { limit: 1024 });
    return json(200, JSON.stringify({ method, body: JSON.parse(Buffer.from(bytes).toString()) }));
  },
};

describe("requests to servers outside of the cluster", () => {
  let server: HttpServer;
  let ca: string;
  let stranger: string;

  before(async () => {
    const authority = await createCertificateAuthority({ commonName: "server" });
    const names = { commonName: "server", ipAddresses: ["127.0.0.1"] };
    const leaf = await authority.issue({ ...names, usages: ["server"] });
    ca = authority.certificate;
    stranger = (await createCertificateAuthority({ commonName: "stranger" })).certificate;
    server = createHttpServer({
      tls: { cert: leaf.certificate, key: leaf.key },
      handler: (request) => pages[request.path]?.(request) ?? json(500, "{}"),
      onError: () => {},
    });
    await server.listen({ host: "127.0.0.1", port: 0 });
  });
  after(() => server.close({ graceMs: 0 }));

  const url = (path: string) => new URL(path, server.url);

  it("read JSON from whom the authorities trust", async () => {
    assert.deepEqual(await getJson(url("/good?secret=1"), { ca }, signal), { a: 1 });
  });

  const failures: Record<string, [path: string, why: RegExp]> = {
    "is no JSON, without showing it": ["/text", /\/text: the answer is not JSON$/],
    "is not there": ["/missing?secret=1", /\/missing: the server answered 404, not 200$/],
    "has moved": ["/moved", /the server answered 302, not 200$/],
    "is too long": ["/long", /longer than 1048576 bytes$/],
  };
  for (const [name, [path, why]] of Object.entries(failures)) {
    it(`say so where the answer ${name}`, async () => {
      await assert.rejects(getJson(url(path), { ca }, signal), (error: Error) => {
        assert.ok(error instanceof OutboundError);
        assert.match(error.message, why);
        assert.doesNotMatch(error.message, /secret/);
        return true;
      });
    });
  }

  it("say so where the server is not trusted, is not there, or has another name", async () => {
    await assert.rejects(getJson(url("/good"), { ca: stranger }, signal), OutboundError);
    await assert.rejects(getJson(new URL("https://127.0.0.1:1/"), { ca }, signal), /refused/);
    const named = new URL(url("/good"));
    named.hostname = "localhost";
    await assert.rejects(getJson(named, { ca }, signal), OutboundError);
  });

  it("end with whoever waits for them", async () => {
    const gone = AbortSignal.abort(new Error("gone"));
    await assert.rejects(getJson(url("/good"), { ca }, gone), /gone/);
  });

  it("post to a webhook over a connection that is kept", async () => {
    using webhook = openWebhook(url("/echo"), { ca });
    for (const n of [1, 2]) {
      assert.deepEqual(await webhook.post({ n }, signal), {
        status: 200,
        body: { method: "POST", body: { n } },
      });
    }
  });

  it("are preceded by a look whether the server is there and trusted", async () => {
    await dialTls(url("/"), { ca }, signal);
    await assert.rejects(dialTls(url("/"), { ca: stranger }, signal), /certificate/);
    await assert.rejects(dialTls(new URL("https://127.0.0.1:1"), { ca }, signal), /ECONNREFUSED/);
  });
});
