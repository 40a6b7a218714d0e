import assert from "node:assert/strict";
import { rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { parseCertificate, verifyCertificate } from "@rookery/pki";
import { createTemporaryFolder, FakeClock } from "@rookery/testing";
import { openLocalPki } from "./local-pki.ts";
import { PkiFiles } from "./pki-files.ts";

const hosts = ["localhost", "127.0.0.1", "::1", "10.0.0.1"];
const dayMs = 24 * 60 * 60 * 1000;

async function pkiFixture() {
  const folder = await createTemporaryFolder("pki");
  const clock = new FakeClock();
  const files = new PkiFiles(join(folder.path, "pki"));
  const open = (names = hosts) => openLocalPki({ files, hosts: names, now: clock.date });
  const file = (name: string) => join(folder.path, "pki", name);
  return { clock, open, file, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe("the certificates of a cluster", () => {
  it("are made once and found again", async () => {
    await using pki = await pkiFixture();
    const first = await pki.open();
    const second = await pki.open();
    assert.deepEqual(second.leaves, first.leaves);
    assert.deepEqual(
      [second.ca, second.frontProxyCa, second.serviceAccountKey],
      [first.ca, first.frontProxyCa, first.serviceAccountKey],
    );
    assert.equal(statSync(pki.file("ca.key")).mode & 0o777, 0o600);
  });

  it("let an administrator in, and the server be called by each of its names", async () => {
    await using pki = await pkiFixture();
    const { ca, leaves } = await pki.open();
    const { admin, apiserver } = leaves;
    const { subject } = parseCertificate(admin.certificate);
    assert.deepEqual(subject.organizations, ["system:masters"]);
    for (const host of hosts) {
      verifyCertificate({
        certificate: apiserver.certificate,
        caBundle: ca.certificate,
        usage: "server",
        host,
        now: pki.clock.date(),
      });
    }
  });

  it("are issued anew by the same authority when two thirds of their time are over", async () => {
    await using pki = await pkiFixture();
    const opened = await pki.open();
    const { admin } = opened.leaves;
    assert.equal(await opened.renew(), false);
    await pki.clock.advance(250 * dayMs);
    assert.equal(await opened.renew(), true);
    assert.notEqual(opened.leaves.admin.certificate, admin.certificate);
    assert.deepEqual((await pki.open()).leaves, opened.leaves);
    assert.deepEqual((await pki.open()).ca, opened.ca);
  });

  it("get a name that was added", async () => {
    await using pki = await pkiFixture();
    const before = await pki.open();
    const { leaves } = await pki.open([...hosts, "nest.example"]);
    assert.ok(parseCertificate(leaves.apiserver.certificate).dnsNames.includes("nest.example"));
    assert.deepEqual(leaves.admin, before.leaves.admin);
  });

  const damages: Record<string, (file: (name: string) => string) => void> = {
    "a certificate is missing": (file) => rmSync(file("apiserver.crt")),
    "a certificate is no certificate": (file) => writeFileSync(file("apiserver.crt"), "x"),
    "a key is of another certificate": (file) => {
      rmSync(file("admin.crt"));
      rmSync(file("apiserver.key"));
      writeFileSync(file("apiserver.key"), "");
    },
  };
  for (const [damage, make] of Object.entries(damages)) {
    it(`are whole again where ${damage}`, async () => {
      await using pki = await pkiFixture();
      const { ca } = await pki.open();
      make(pki.file);
      const { leaves } = await pki.open();
      const { certificate } = leaves.apiserver;
      verifyCertificate({ certificate, caBundle: ca.certificate, now: pki.clock.date() });
    });
  }

  it("are not replaced where the authority's own can't be read: who trusts it would be lost", async () => {
    await using pki = await pkiFixture();
    await pki.open();
    writeFileSync(pki.file("ca.key"), "x");
    rmSync(pki.file("admin.crt"));
    await assert.rejects(pki.open(), { code: "InvalidKey" });
  });
});
