import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { type CertificateAndKey, createCertificateAuthority, createKeyPair } from "@rookery/pki";
import { createTemporaryFolder, FakeClock } from "@rookery/testing";
import { openCertificateFiles } from "./certificate-files.ts";

async function fixture() {
  const folder = await createTemporaryFolder("certificates");
  const clock = new FakeClock();
  const at = (name: string) => join(folder.path, name);
  const write = (name: string, { certificate, key }: CertificateAndKey) =>
    Promise.all([writeFile(at(`${name}.crt`), certificate), writeFile(at(`${name}.key`), key)]);
  const authority = await createCertificateAuthority({ commonName: "ca", now: clock.date });
  const issue = () =>
    authority.issue({ commonName: "server", dnsNames: ["localhost"], usages: ["server"] });
  const pair = (name: string) => ({ certificate: at(`${name}.crt`), key: at(`${name}.key`) });
  await write("ca", authority);
  await write("serving", await issue());
  await write("proxy", await issue());
  const { publicKey, privateKey } = await createKeyPair();
  await write("sa", { certificate: publicKey, key: privateKey });
  const files = {
    clientCa: at("ca.crt"),
    serving: pair("serving"),
    frontProxyCa: at("ca.crt"),
    proxyClient: pair("proxy"),
    serviceAccountSigningKey: at("sa.key"),
    serviceAccountKeys: [at("sa.crt")],
    clusterSigning: pair("ca"),
  };
  const open = (changes: Partial<typeof files> = {}) =>
    openCertificateFiles({ ...files, ...changes }, clock.date);
  return { open, write, issue, at, authority, privateKey, pair, ...disposing(folder) };
}

const disposing = (folder: AsyncDisposable) => ({
  [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
});

describe("certificates from elsewhere", () => {
  it("are used as they are, and there is no administrator", async () => {
    await using scene = await fixture();
    const pki = await scene.open();
    assert.equal(pki.ca.certificate, scene.authority.certificate);
    assert.equal(pki.serviceAccountKey, scene.privateKey);
    assert.equal(pki.leaves.admin, undefined);
    const signer = await pki.authority();
    assert.equal(signer.certificate, scene.authority.certificate);
  });

  it("are followed when they are renewed", async () => {
    await using scene = await fixture();
    const pki = await scene.open();
    assert.equal(await pki.renew(), false);
    const renewed = await scene.issue();
    await scene.write("serving", renewed);
    assert.equal(await pki.renew(), true);
    assert.deepEqual(pki.leaves.apiserver, {
      certificate: renewed.certificate,
      key: renewed.key,
    });
  });

  it("stay what they were while a renewed one is written in halves", async () => {
    await using scene = await fixture();
    const pki = await scene.open();
    const before = pki.leaves.apiserver;
    await writeFile(scene.at("serving.crt"), (await scene.issue()).certificate);
    await assert.rejects(pki.renew(), { code: "CertificateFile" });
    assert.equal(pki.leaves.apiserver, before);
  });

  it("are named where one can't be read, or is no key of its certificate", async () => {
    await using scene = await fixture();
    await assert.rejects(scene.open({ clientCa: scene.at("none.crt") }), {
      message: /could not use the certificate file .*none\.crt: ENOENT.*see whether it is there/,
    });
    const mixed = { certificate: scene.at("serving.crt"), key: scene.at("proxy.key") };
    await assert.rejects(scene.open({ serving: mixed }), (error: Error) => {
      assert.match(error.message, /proxy\.key: it does not hold the key of .*serving\.crt/);
      assert.doesNotMatch(error.message, /PRIVATE/);
      return true;
    });
  });
});
