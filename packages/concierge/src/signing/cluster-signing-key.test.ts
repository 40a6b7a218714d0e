import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type CertificateAndKey,
  createCertificateAuthority,
  parseCertificate,
  verifyCertificate,
} from "@rookery/pki";
import { FakeClock } from "@rookery/testing";
import { SigningError } from "../errors.ts";
import { createClusterSigningKey } from "./cluster-signing-key.ts";

const clock = new FakeClock();
const now = clock.date;
const [authority, stranger] = await Promise.all(
  ["kubernetes", "stranger"].map((commonName) => createCertificateAuthority({ commonName, now })),
);
assert.ok(authority && stranger);
const leaf = await authority.issue({ commonName: "leaf", usages: ["client"] });
const { signal } = new AbortController();
const pip = { username: "pip", groups: ["birds", "swimmers"] };

function strategy(pair: CertificateAndKey | Error, trusted: string | undefined = "") {
  return createClusterSigningKey({
    place: "the Secret concierge/key",
    load: async () => {
      if (pair instanceof Error) throw pair;
      return pair;
    },
    readClientAuthorities: async () => trusted,
    now,
  });
}

describe("the cluster's signing key", () => {
  it("signs a client certificate of five minutes for the user and the groups", async () => {
    const credential = await strategy(authority, authority.certificate).sign(pip, signal);
    const info = parseCertificate(credential.certificate);
    assert.deepEqual(info.subject, { commonName: "pip", organizations: ["birds", "swimmers"] });
    assert.deepEqual(info.usages, ["client"]);
    assert.equal(info.isCA, false);
    assert.equal(credential.expires.getTime() - now().getTime(), 5 * 60_000);
    assert.equal(now().getTime() - info.notBefore.getTime(), 5 * 60_000);
    const caBundle = authority.certificate;
    verifyCertificate({
      certificate: credential.certificate,
      caBundle,
      now: now(),
      usage: "client",
    });
  });

  it("is found among several authorities that the API server trusts", async () => {
    const bundle = stranger.certificate + authority.certificate;
    assert.deepEqual(await strategy(authority, bundle).check(signal), {
      type: "KubeClusterSigningCertificate",
      status: "Success",
      reason: "FetchedKey",
      message:
        'certificates of 5 minutes are signed with the key of "kubernetes" from the Secret concierge/key',
    });
  });

  const rows: Record<string, [pair: CertificateAndKey | Error, trusted: string, why: RegExp]> = {
    "is not there": [new Error('secrets "key" not found'), "", /secrets "key" not found/],
    "is not trusted by the API server": [
      stranger,
      authority.certificate,
      /does not trust clients by "stranger": it is not in client-ca-file of the ConfigMap/,
    ],
    "belongs to another certificate": [
      { certificate: authority.certificate, key: stranger.key },
      authority.certificate,
      /the private key does not belong to its certificate/,
    ],
    "is no key": [
      { certificate: authority.certificate, key: "hello" },
      authority.certificate,
      /it is not a key in PEM/,
    ],
    "is one that may not sign": [leaf, authority.certificate, /may not sign others/],
  };
  for (const [name, [pair, trusted, why]] of Object.entries(rows)) {
    it(`says so when it ${name}, and does not sign`, async () => {
      const key = strategy(pair, trusted);
      const report = await key.check(signal);
      assert.equal(report.status, "Error");
      assert.equal(report.reason, "CouldNotFetchKey");
      assert.match(report.message, why);
      assert.doesNotMatch(report.message, /PRIVATE KEY/);
      await assert.rejects(key.sign(pip, signal), SigningError);
    });
  }

  it("is used no more when the API server trusts it no more", async () => {
    let trusted = authority.certificate;
    const key = createClusterSigningKey({
      place: "files",
      load: async () => authority,
      readClientAuthorities: async () => trusted,
      now,
    });
    await key.check(signal);
    await key.sign(pip, signal);
    trusted = stranger.certificate;
    assert.equal((await key.check(signal)).status, "Error");
    await assert.rejects(key.sign(pip, signal), SigningError);
  });
});
