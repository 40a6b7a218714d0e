import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JWTAuthenticator } from "@rookery/api";
import { createCertificateAuthority } from "@rookery/pki";
import {
  audience,
  issuerUrl,
  signingKey,
  TestIssuer,
} from "../../test/jwt-authenticator/tokens/issuer.ts";
import { OutboundError } from "../errors.ts";
import { checkJwtAuthenticator } from "./check.ts";

type Spec = JWTAuthenticator["spec"];

const issuer = new TestIssuer(await signingKey("ES256", "one"));
const keysUrl = `${issuerUrl}/keys`;
const good: Readonly<Record<string, unknown>> = {
  [`${issuerUrl}/.well-known/openid-configuration`]: { issuer: issuerUrl, jwks_uri: keysUrl },
  [keysUrl]: issuer.keySet,
};
const { certificate } = await createCertificateAuthority({ commonName: "issuer-ca" });
const base64 = (text: string) => Buffer.from(text).toString("base64");

function check(spec: Partial<Spec> = {}, pages: Readonly<Record<string, unknown>> = good) {
  const trusted: (string | undefined)[] = [];
  const examination = checkJwtAuthenticator(
    {
      spec: { issuer: issuerUrl, audience, ...spec },
      getJson: ({ ca }) => {
        trusted.push(ca);
        return async (url) => {
          const page = pages[url.href];
          if (page !== undefined) return page;
          throw new OutboundError({ method: "GET", url: url.href }, "connection refused");
        };
      },
      clock: issuer.clock,
      now: issuer.clock.date,
    },
    new AbortController().signal,
  );
  return examination.then((found) => ({ ...found, trusted }));
}

const statuses = async (spec: Partial<Spec>, pages = good) =>
  Object.fromEntries(
    (await check(spec, pages)).statements.map(({ type, status, reason, message }) => [
      type,
      { status, reason, message },
    ]),
  );

describe("a check of a JWTAuthenticator", () => {
  it("finds an issuer ready, and takes its tokens", async () => {
    const { statements, authenticator } = await check();
    assert.deepEqual(
      statements.map(({ type, status, reason }) => `${type}=${status} (${reason})`),
      [
        "TLSConfigurationValid=True (Success)",
        "ClaimsValid=True (Success)",
        "IssuerURLValid=True (Success)",
        "DiscoveryURLValid=True (Success)",
        "JWKSURLValid=True (Success)",
        "JWKSFetchValid=True (Success)",
        "AuthenticatorValid=True (Success)",
        "Ready=True (Success)",
      ],
    );
    const { signal } = new AbortController();
    const user = await authenticator?.authenticate(await issuer.token(), signal);
    assert.equal(user?.username, "pip");
  });

  it("asks the issuer by the authorities of the object", async () => {
    const tls = { certificateAuthorityData: base64(certificate) };
    assert.deepEqual(new Set((await check({ tls })).trusted), new Set([certificate]));
    assert.deepEqual(new Set((await check()).trusted), new Set([undefined]));
  });

  const discovery = `${issuerUrl}/.well-known/openid-configuration`;
  const page = (metadata: object) => ({ ...good, [discovery]: { issuer: issuerUrl, ...metadata } });
  const rows: Record<
    string,
    { spec?: Partial<Spec>; pages?: object; type: string; reason: string; message: RegExp }
  > = {
    "authorities that are not base64": {
      spec: { tls: { certificateAuthorityData: certificate } },
      type: "TLSConfigurationValid",
      reason: "InvalidTLSConfig",
      message: /spec\.tls\.certificateAuthorityData: it is not base64/,
    },
    "authorities that are no certificates": {
      spec: { tls: { certificateAuthorityData: base64("hello") } },
      type: "TLSConfigurationValid",
      reason: "InvalidTLSConfig",
      message: /it holds no certificate in PEM/,
    },
    "an authority that is damaged": {
      spec: {
        tls: {
          certificateAuthorityData: base64(
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
          ),
        },
      },
      type: "TLSConfigurationValid",
      reason: "InvalidTLSConfig",
      message: /damaged/,
    },
    "an issuer that is no URL": {
      spec: { issuer: "https://[" },
      type: "IssuerURLValid",
      reason: "InvalidIssuerURL",
      message: /spec\.issuer "https:\/\/\[": it is not a URL/,
    },
    "an issuer in the clear": {
      spec: { issuer: "http://issuer.example.com" },
      type: "IssuerURLValid",
      reason: "InvalidIssuerURLScheme",
      message: /its scheme must be "https"/,
    },
    "an issuer with a query": {
      spec: { issuer: `${issuerUrl}?a=b` },
      type: "IssuerURLValid",
      reason: "InvalidIssuerURLContainsQueryParams",
      message: /must not have a query/,
    },
    "an issuer with a fragment": {
      spec: { issuer: `${issuerUrl}#a` },
      type: "IssuerURLValid",
      reason: "InvalidIssuerURLContainsFragment",
      message: /must not have a fragment/,
    },
    "an issuer with the path that is added": {
      spec: { issuer: discovery },
      type: "IssuerURLValid",
      reason: "InvalidIssuerURLContainsWellKnownEndpoint",
      message: /leave ".*" off/,
    },
    "an issuer that does not answer": {
      pages: {},
      type: "DiscoveryURLValid",
      reason: "InvalidDiscoveryProbe",
      message: /connection refused/,
    },
    "an issuer that serves something else": {
      pages: { ...good, [discovery]: [1] },
      type: "DiscoveryURLValid",
      reason: "InvalidDiscoveryProbe",
      message: /serves no JSON object/,
    },
    "an issuer that calls itself otherwise": {
      pages: page({ issuer: `${issuerUrl}/` }),
      type: "DiscoveryURLValid",
      reason: "InvalidDiscoveryProbe",
      message: /letter by letter/,
    },
    "an issuer without keys": {
      pages: page({}),
      type: "JWKSURLValid",
      reason: "InvalidProviderJWKSURL",
      message: /nothing is not a URL/,
    },
    "keys in the clear": {
      pages: page({ jwks_uri: "http://issuer.example.com/keys" }),
      type: "JWKSURLValid",
      reason: "InvalidProviderJWKSURLScheme",
      message: /must be "https"/,
    },
    "keys that are not there": {
      pages: page({ jwks_uri: `${issuerUrl}/other` }),
      type: "JWKSFetchValid",
      reason: "InvalidCouldNotFetchJWKS",
      message: /could not GET .*\/other: connection refused/,
    },
    "keys that are no list": {
      pages: { ...good, [keysUrl]: { keys: "one" } },
      type: "JWKSFetchValid",
      reason: "InvalidCouldNotFetchJWKS",
      message: /has no list of "keys"/,
    },
    "keys of which none can verify": {
      pages: {
        ...good,
        [keysUrl]: { keys: [{ kty: "oct", k: "c2VjcmV0" }, { kty: "RSA", n: "AQ" }, null] },
      },
      type: "JWKSFetchValid",
      reason: "InvalidCouldNotFetchJWKS",
      message: /none of its 3 keys is a public key/,
    },
  };
  for (const [name, { spec = {}, pages = good, type, reason, message }] of Object.entries(rows)) {
    it(`says what is wrong with ${name}`, async () => {
      const found = await statuses(spec, pages as typeof good);
      assert.equal(found[type]?.status, "False");
      assert.equal(found[type]?.reason, reason);
      assert.match(found[type]?.message ?? "", message);
      assert.equal(found.Ready?.status, "False");
      assert.equal(found.AuthenticatorValid?.reason, "UnableToValidate");
      assert.equal((await check(spec, pages as typeof good)).authenticator, undefined);
    });
  }

  it("uses no private or secret key that an issuer publishes", async () => {
    const leaked = { ...issuer.keys[0]?.jwk, kid: "leaked", d: "AQ" };
    const secret = { kty: "oct", k: "c2VjcmV0", kid: "secret", alg: "HS256" };
    const pages = { ...good, [keysUrl]: { keys: [leaked, secret, ...issuer.keySet.keys] } };
    const { authenticator } = await check({}, pages);
    const { signal } = new AbortController();
    const token = await issuer.token({}, { kid: "leaked" });
    await assert.rejects(async () => authenticator?.authenticate(token, signal));
    assert.ok(await authenticator?.authenticate(await issuer.token(), signal));
  });
});
