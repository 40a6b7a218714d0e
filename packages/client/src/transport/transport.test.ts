import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type ClientTls,
  type HttpClient,
  type HttpClientOptions,
  type Interceptor,
  noLimits,
} from "@rookery/http";
import { caCertificate, clientCertificate } from "../../test/certificates.ts";
import { type Answer, FakeServer, failure, json, request } from "../../test/fake-server.ts";
import { FakeTime, HastyTime } from "../../test/fake-time.ts";
import { temporaryFiles } from "../../test/temporary-files.ts";
import type { ClientConfig } from "../kubeconfig/client-config.ts";
import { createTransport, type TransportOptions } from "./transport.ts";

function setUp(config: Partial<ClientConfig>, options: TransportOptions, ...answers: Answer[]) {
  const server = new FakeServer(...answers);
  const connected: HttpClientOptions[] = [];
  const tls: ClientTls[] = [];
  const calls: string[] = [];
  const createHttpClient = (httpOptions: HttpClientOptions): HttpClient => {
    connected.push(httpOptions);
    return {
      handler: server.handler,
      replaceTls: (next) => void tls.push(next),
      close: async () => void calls.push("close"),
      destroy: async () => void calls.push("destroy"),
      [Symbol.asyncDispose]: async () => {},
    };
  };
  const whole = { server: "https://10.0.0.1:6443", namespace: "default", user: {}, ...config };
  const transport = createTransport(whole, { userAgent: "", createHttpClient, ...options });
  return { transport, server, connected, tls, calls };
}

describe("a transport", () => {
  it("connects as its configuration says", async () => {
    const { connected } = setUp(
      {
        server: "https://rancher.example/k8s/c-1",
        certificateAuthority: { pem: "CA" },
        tlsServerName: "name",
        proxyUrl: "http://proxy",
        user: { certificate: { cert: { pem: "C" }, key: { pem: "K" } } },
      },
      { allowH2: false },
    );
    assert.deepEqual(connected, [
      {
        origin: "https://rancher.example",
        limits: noLimits,
        tls: { ca: "CA", cert: "C", key: "K", servername: "name" },
        proxyUrl: "http://proxy",
        allowH2: false,
      },
    ]);
    const insecure = setUp({ insecureSkipTlsVerify: true }, {});
    assert.deepEqual(insecure.connected[0]?.tls, { rejectUnauthorized: false });
  });

  it("adds what the configuration asks for to each request", async () => {
    const { transport, server } = setUp(
      {
        server: "https://10.0.0.1/base",
        user: { token: "t", impersonate: { user: "jane" } },
      },
      { userAgent: "test/1" },
    );
    await transport.handler(request());
    assert.equal(server.last.target, "/base/api/v1/pods");
    assert.deepEqual(server.last.headers, {
      "user-agent": "test/1",
      "impersonate-user": "jane",
      authorization: "Bearer t",
      "accept-encoding": "gzip",
    });
  });

  it("says who it is where nobody told it", async () => {
    const { server } = setUp({}, {});
    const named = createTransport(
      { server: "https://127.0.0.1", namespace: "default", user: {} },
      {
        createHttpClient: () => ({
          handler: server.handler,
          replaceTls() {},
          close: async () => {},
          destroy: async () => {},
          [Symbol.asyncDispose]: async () => {},
        }),
      },
    );
    await named.handler(request());
    assert.match(`${server.last.headers["user-agent"]}`, /^rookery\/unknown \(\w+\/\w+\)$/);
  });

  describe("asks for compression", () => {
    const rows: Record<string, [Partial<ClientConfig>, TransportOptions, expected: boolean]> = {
      "over a network": [{}, {}, true],
      "not on loopback": [{ server: "https://127.0.0.1:6443" }, {}, false],
      "not on IPv6 loopback": [{ server: "https://[::1]:6443" }, {}, false],
      "not where the kubeconfig disables it": [{ disableCompression: true }, {}, false],
      "on loopback where told so": [{ server: "https://127.0.0.1" }, { compression: true }, true],
      "not where told so": [{}, { compression: false }, false],
    };
    for (const [name, [config, options, expected]] of Object.entries(rows)) {
      it(name, async () => {
        const { transport, server } = setUp(config, options);
        await transport.handler(request());
        assert.equal("accept-encoding" in server.last.headers, expected);
      });
    }
  });

  it("counts each attempt, warns once, and keeps further interceptors outside", async () => {
    const log: string[] = [];
    const outside =
      (name: string): Interceptor =>
      (next) =>
      async (asked) => {
        log.push(name);
        return next(asked);
      };
    const headers = { "retry-after": "1", warning: '299 - "old"' };
    const { transport } = setUp(
      {},
      {
        timekeeper: new HastyTime(),
        interceptors: [outside("first"), outside("second")],
        trace: ({ status }) => log.push(`status ${status}`),
        onWarning: (text) => log.push(text),
      },
      failure(429, "TooManyRequests", { headers }),
      json({}, { headers }),
    );
    await transport.handler(request());
    assert.deepEqual(log, ["first", "second", "status 429", "old", "status 200"]);
  });

  it("gives up with its retries, all in the time of one request", async () => {
    const later = failure(429, "TooManyRequests", { headers: { "retry-after": "50" } });
    const { transport } = setUp({}, { timekeeper: new HastyTime(), random: () => 0 }, later);
    await assert.rejects(async () => transport.handler(request()), /not done within 65000 ms/);
  });

  it("sends nothing twice without retries", async () => {
    const later = failure(429, "TooManyRequests", { headers: { "retry-after": "1" } });
    const { transport, server } = setUp({}, { retries: 0 }, later);
    await transport.handler(request());
    assert.equal(server.seen.length, 1);
  });

  it("connects anew with certificates that were renewed in their files", async () => {
    const [one, two] = [await clientCertificate("one"), await clientCertificate("two")];
    await using files = await temporaryFiles({ crt: one.cert, key: one.key });
    const time = new FakeTime();
    const certificate = {
      cert: { pem: one.cert, file: files.path("crt") },
      key: { pem: one.key, file: files.path("key") },
    };
    const certificateAuthority = { pem: await caCertificate() };
    const config = { certificateAuthority, user: { certificate } };
    const { transport, tls } = setUp(config, { timekeeper: time });
    const ask = async (milliseconds: number) => {
      await time.pass(milliseconds);
      await transport.handler(request());
    };

    await ask(60_000);
    assert.deepEqual(tls, [], "nothing has changed");
    await files.write("crt", two.cert);
    await ask(60_000);
    assert.deepEqual(tls, [], "the key is still to come");
    await files.write("key", two.key);
    await ask(59_999);
    assert.deepEqual(tls, [], "not looked at yet");
    await ask(1);
    assert.deepEqual(tls, [{ ca: certificateAuthority.pem, cert: two.cert, key: two.key }]);
    await files.remove("crt");
    await ask(60_000);
    assert.equal(tls.length, 1, "what is gone for a moment changes nothing");
  });

  it("connects anew with the certificate of a plugin", async () => {
    const { cert, key } = await clientCertificate("tern");
    const apiVersion = "client.authentication.k8s.io/v1";
    const status = { clientCertificateData: cert, clientKeyData: key };
    const printed = JSON.stringify({ apiVersion, kind: "ExecCredential", status });
    const exec = {
      apiVersion,
      command: process.execPath,
      args: ["-e", `console.log(process.env.PRINTED)`],
      env: { PRINTED: printed },
      interactiveMode: "Never",
      provideClusterInfo: false,
    } as const;
    const config = { certificateAuthority: { pem: "CA" }, user: { exec } };
    const { transport, tls } = setUp(config, {});
    await transport.handler(request());
    assert.deepEqual(tls, [{ ca: "CA", cert, key }]);
  });

  it("takes credentials from wherever it is told", async () => {
    const calls: string[] = [];
    const credentials = {
      get: () => ({ authorization: "Bearer own" }),
      renew: async () => undefined,
      close: () => void calls.push("closed"),
    };
    const { transport, server } = setUp({ user: { token: "t" } }, { credentials });
    await transport.handler(request());
    assert.equal(server.last.headers.authorization, "Bearer own");
    await transport.destroy();
    assert.deepEqual(calls, ["closed"]);
  });

  it("closes and destroys its connections", async () => {
    const { transport, calls } = setUp({ user: { token: "t" } }, {});
    await transport.close();
    await transport.destroy();
    assert.deepEqual(calls, ["close", "destroy"]);
  });
});
