import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { Context, collectBody, createHttpClient, ListenError } from "@rookery/http";
import { type CertificateAndKey, createCertificateAuthority } from "@rookery/pki";
import { aborted } from "../clock/abort.ts";
import type { CertificateSource } from "../http-server/certified-server.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { validatingWebhook } from "./kind-webhooks.ts";
import { WebhookServer } from "./webhook-server.ts";

const kind = { group: "example.com", version: "v1", kind: "Widget" };
const metadata = { name: "a" };
const review = {
  apiVersion: "admission.k8s.io/v1",
  kind: "AdmissionReview",
  request: { uid: "1", operation: "CREATE", object: { apiVersion: "v1", kind: "x", metadata } },
};

interface Issued extends CertificateAndKey {
  readonly ca: string;
}

let first: Issued;
let second: Issued;

before(async () => {
  const issue = async (): Promise<Issued> => {
    const authority = await createCertificateAuthority({ commonName: "ca" });
    const names = { commonName: "webhook", ipAddresses: ["127.0.0.1"] };
    const pair = await authority.issue({ ...names, usages: ["server"] });
    return { ...pair, ca: authority.certificate };
  };
  [first, second] = await Promise.all([issue(), issue()]);
});

/** Hands out what a test tells it to. */
class Source implements CertificateSource {
  serve: (pair: CertificateAndKey) => void | Promise<void> = () => {};
  readonly initial: CertificateAndKey | undefined;

  constructor(initial?: CertificateAndKey) {
    this.initial = initial;
  }

  async run(signal: AbortSignal, serve: Source["serve"]): Promise<void> {
    this.serve = serve;
    // As sources do: what fails is tried again later.
    if (this.initial) await Promise.resolve(serve(this.initial)).catch(() => {});
    await aborted(signal);
  }
}

async function post(server: WebhookServer, ca: string, path: string) {
  await using client = createHttpClient({ origin: server.url, tls: { ca } });
  const { status, body } = await client.handler({
    method: "POST",
    path,
    query: "timeout=5s",
    headers: { "content-type": "application/json" },
    body: Buffer.from(JSON.stringify(review)),
    signal: new AbortController().signal,
    context: Context.empty,
  });
  return { status, text: Buffer.from(await collectBody(body, { limit: 9999 })).toString() };
}

function serverOf(certificates: CertificateSource, options: { port?: number } = {}) {
  const metrics = createMetrics({ processMetrics: false });
  const server = new WebhookServer({
    host: "127.0.0.1",
    port: options.port ?? 0,
    certificates,
    metrics,
  });
  server.register(validatingWebhook(kind, {}));
  return { server, metrics };
}

describe("a webhook server", () => {
  it("answers by HTTPS at the paths that are registered, and counts", async () => {
    const { server, metrics } = serverOf(new Source(first));
    const stop = new AbortController();
    assert.throws(() => server.startedCheck({} as never), /not been started yet/);
    const ended = server.start(stop.signal);
    await server.waitForReady();
    server.startedCheck({} as never);
    const path = "/validate-example-com-v1-widget";
    const answer = await post(server, first.ca, path);
    assert.equal(JSON.parse(answer.text).response.allowed, true);
    assert.equal((await post(server, first.ca, "/other")).status, 404);
    stop.abort();
    await ended;
    const text = await metrics.registry.metrics();
    assert.ok(
      text.includes(`controller_runtime_webhook_requests_total{webhook="${path}",code="200"} 1`),
    );
  });

  it("takes up a new certificate for new connections", async () => {
    const source = new Source(first);
    const { server } = serverOf(source);
    const stop = new AbortController();
    const ended = server.start(stop.signal);
    await server.waitForReady();
    await source.serve(second);
    assert.equal((await post(server, second.ca, "/other")).status, 404);
    await assert.rejects(post(server, first.ca, "/other"), { code: "TlsFailed" });
    stop.abort();
    await ended;
  });

  it("ends where it is stopped before there was a certificate", async () => {
    const { server } = serverOf(new Source());
    const stop = new AbortController();
    const ended = server.start(stop.signal);
    stop.abort();
    await ended;
  });

  it("fails where its port is taken", async () => {
    const stop = new AbortController();
    const { server } = serverOf(new Source(first));
    const ended = server.start(stop.signal);
    await server.waitForReady();
    const port = Number(new URL(server.url).port);
    const other = serverOf(new Source(first), { port });
    await assert.rejects(other.server.start(stop.signal), ListenError);
    stop.abort();
    await ended;
  });

  it("has one webhook at a path", () => {
    const { server } = serverOf(new Source());
    assert.throws(() => server.register(validatingWebhook(kind, {})), {
      code: "DuplicateWebhook",
    });
  });
});
