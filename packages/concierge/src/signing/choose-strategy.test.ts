import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createClientOver } from "@rookery/client";
import { createCertificateAuthority } from "@rookery/pki";
import { createTemporaryFolder } from "@rookery/testing";
import { chooseStrategy, type SigningFlags } from "./choose-strategy.ts";

const authority = await createCertificateAuthority({ commonName: "kubernetes" });
const none: SigningFlags = { signingSecret: "", signingCertFile: "", signingKeyFile: "" };
const { signal } = new AbortController();

/** A strategy in a cluster whose every answer is one Secret. */
function choose(flags: Partial<SigningFlags>, data: Readonly<Record<string, string>> = {}) {
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "key" }, data };
  return chooseStrategy(
    { ...none, ...flags },
    {
      client: createClientOver(() => ({
        status: 200,
        headers: { "content-type": "application/json" },
        body: Buffer.from(JSON.stringify(secret)),
      })),
      name: "rookery-concierge",
      namespace: "login",
      readClientAuthorities: async () => authority.certificate,
      now: () => new Date(),
    },
  );
}

const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("the strategy in use", () => {
  it("is the key of a Secret, where one is named", async () => {
    const data = { "tls.crt": base64(authority.certificate), "tls.key": base64(authority.key) };
    const { strategy, others } = choose({ signingSecret: "key" }, data);
    const report = await strategy.check(signal);
    assert.equal(report.reason, "FetchedKey", report.message);
    assert.match(report.message, /from the Secret login\/key$/);
    assert.deepEqual(
      others.map(({ type, reason }) => [type, reason]),
      [["CertificateSigningRequest", "Disabled"]],
    );
  });

  it("says what a Secret lacks", async () => {
    const { strategy } = choose({ signingSecret: "key" }, { "tls.crt": "AA==" });
    assert.match((await strategy.check(signal)).message, /login\/key: it has no tls\.key$/);
  });

  it("is the key of files, where they are named, and says when they are not there", async () => {
    await using folder = await createTemporaryFolder("signing");
    const [signingCertFile, signingKeyFile] = ["crt", "key"].map((name) => join(folder.path, name));
    assert.ok(signingCertFile && signingKeyFile);
    const { strategy } = choose({ signingCertFile, signingKeyFile });
    assert.match((await strategy.check(signal)).message, /ENOENT/);
    await writeFile(signingCertFile, authority.certificate);
    await writeFile(signingKeyFile, authority.key);
    assert.equal((await strategy.check(signal)).reason, "FetchedKey");
  });

  it("is the cluster itself without a key, and says how to give one", () => {
    const [other] = choose({}).others;
    assert.equal(other?.type, "KubeClusterSigningCertificate");
    assert.equal(other?.reason, "Disabled");
    assert.match(other?.message ?? "", /--signing-secret/);
  });
});
