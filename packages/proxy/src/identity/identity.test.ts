import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Context, type HttpHeaders, type Interceptor, type Peer, peerKey } from "@rookery/http";
import { jsonOf, recording, request } from "../../test/handler.ts";
import { actAsProxy } from "./proxy-identity.ts";
import { passAppIdentity } from "./untrusted-headers.ts";

const spoofed: HttpHeaders = {
  "x-remote-user": "admin",
  "x-remote-uid": "1",
  "x-remote-group": ["system:masters", "others"],
  "x-remote-extra-scopes.example.com%2fa": "all",
};

async function ask(interceptor: Interceptor, headers: HttpHeaders, context = Context.empty) {
  const upstream = recording();
  const response = await interceptor(upstream)(request({ headers, context }));
  return { response, passed: upstream.seen[0]?.headers };
}

const peer = (verified: boolean): Context => {
  const certificate = { chain: [], verified };
  const value: Peer = { address: "10.0.0.7", port: 1, protocol: "HTTP/2.0", certificate };
  return Context.empty.with(peerKey, value);
};

describe("with the app's identity", () => {
  it("its token and whom it acts as pass", async () => {
    const headers = { authorization: "Bearer a", "impersonate-user": "b", accept: "c" };
    assert.deepEqual((await ask(passAppIdentity(), headers)).passed, headers);
  });

  it("what an authenticating proxy would say does not", async () => {
    const { passed } = await ask(passAppIdentity(), { ...spoofed, accept: "c" });
    assert.deepEqual(passed, { accept: "c" });
  });
});

describe("with the proxy's identity", () => {
  const withToken = actAsProxy({ token: "secret" });

  it("nothing that the app says about itself passes", async () => {
    const headers = {
      ...spoofed,
      authorization: "Bearer secret",
      accept: "c",
      "sec-websocket-protocol": "base64url.bearer.authorization.k8s.io.c2VjcmV0, v5.channel.k8s.io",
    };
    assert.deepEqual((await ask(withToken, headers)).passed, {
      accept: "c",
      "sec-websocket-protocol": "v5.channel.k8s.io",
    });
  });

  const refused: Record<string, HttpHeaders> = {
    "without a token": {},
    "with another token": { authorization: "Bearer secrets" },
    "with a part of the token": { authorization: "Bearer secre" },
    "with a password": { authorization: "Basic c2VjcmV0" },
    "with another token of a WebSocket": {
      "sec-websocket-protocol": "base64url.bearer.authorization.k8s.io.eA",
    },
  };
  for (const [name, headers] of Object.entries(refused)) {
    it(`${name} it is refused`, async () => {
      const { response, passed } = await ask(withToken, headers);
      assert.equal(passed, undefined);
      assert.equal(response.status, 401);
      assert.equal((await jsonOf(response)).reason, "Unauthorized");
      assert.match(String(response.headers["www-authenticate"]), /^Bearer/);
    });
  }

  it("a WebSocket may bring its token as browsers do", async () => {
    const headers = { "sec-websocket-protocol": "base64url.bearer.authorization.k8s.io.c2VjcmV0" };
    assert.deepEqual((await ask(withToken, headers)).passed, {});
  });

  const impersonation = ["user", "group", "uid", "extra-a"].map((part) => `impersonate-${part}`);
  for (const name of impersonation) {
    it(`${name} is refused, because without it more would be allowed`, async () => {
      const { response, passed } = await ask(withToken, {
        authorization: "Bearer secret",
        [name]: "a",
      });
      assert.equal(passed, undefined);
      assert.equal(response.status, 403);
      assert.match(String((await jsonOf(response)).message), /impersonates nobody/);
    });
  }

  it("a certificate will do where it was verified, and only there", async () => {
    const byCertificate = actAsProxy({ acceptCertificates: true });
    assert.equal((await ask(byCertificate, {}, peer(true))).response.status, 200);
    assert.equal((await ask(byCertificate, {}, peer(false))).response.status, 401);
    assert.equal((await ask(byCertificate, {})).response.status, 401);
    assert.equal((await ask(withToken, {}, peer(true))).response.status, 401);
  });

  const hosts: Record<string, number> = {
    localhost: 200,
    "localhost:6443": 200,
    "127.0.0.1:8001": 200,
    "[::1]:8001": 200,
    "evil.example.com": 403,
    "127.0.0.1.evil.example.com": 403,
    "localhost.evil.example.com:8001": 403,
    "10.0.0.1": 403,
    "": 403,
  };
  for (const [host, status] of Object.entries(hosts)) {
    it(`without credentials the host ${JSON.stringify(host)} gets a ${status}`, async () => {
      assert.equal((await ask(actAsProxy({}), { host })).response.status, status);
    });
  }
});
