import assert from "node:assert/strict";
import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { type CertificateAndKey, parseCertificate, verifyCertificate } from "@rookery/pki";
import { silentLogger } from "@rookery/runtime";
import { createTemporaryFolder, FakeClock, type TemporaryFolder, waitFor } from "@rookery/testing";
import { appCertificateNames } from "./certificate-names.ts";
import { createProxyState, type ProxyState } from "./proxy-state.ts";
import { createSelfIssuedCertificate } from "./serving-certificates.ts";

describe("a certificate that the proxy issues for itself", () => {
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await createTemporaryFolder("state");
  });
  afterEach(() => folder[Symbol.asyncDispose]());

  /** What a proxy with this state shows first, and whom to trust. */
  async function issue(state: ProxyState, host = "127.0.0.1") {
    const clock = new FakeClock();
    const certificate = createSelfIssuedCertificate({
      ...appCertificateNames(host, ["proxy.example.com"]),
      state,
      logger: silentLogger,
      clock,
    });
    const served: CertificateAndKey[] = [];
    const stopped = new AbortController();
    const ended = certificate.run(stopped.signal, (leaf) => void served.push(leaf));
    let isEnded = false;
    void ended
      .catch(() => {})
      .finally(() => {
        isEnded = true;
      });
    await waitFor(() => isEnded || clock.timers === 1, { what: "the certificate" });
    stopped.abort();
    await ended;
    return { leaf: served.at(-1)?.certificate ?? "", authorities: certificate.authorities ?? "" };
  }

  it("is for all names by which an app in a pod finds it", async () => {
    const { leaf, authorities } = await issue(createProxyState(undefined));
    const hosts = ["127.0.0.1", "::1", "localhost", "kubernetes.default.svc", "proxy.example.com"];
    for (const host of hosts) {
      const now = new Date();
      verifyCertificate({ certificate: leaf, caBundle: authorities, now, usage: "server", host });
    }
  });

  it("has the same authority when the proxy is started again", async () => {
    const first = await issue(createProxyState(folder.path));
    const second = await issue(createProxyState(folder.path));
    assert.equal(second.authorities, first.authorities);
    assert.equal(second.leaf, first.leaf);
  });

  it("is renewed under the same authority when it needs another name", async () => {
    const first = await issue(createProxyState(folder.path));
    const second = await issue(createProxyState(folder.path), "10.0.0.7");
    assert.equal(second.authorities, first.authorities);
    assert.ok(parseCertificate(second.leaf).ipAddresses.includes("10.0.0.7"));
  });

  it("keeps its key where only its owner reads it", async () => {
    await issue(createProxyState(join(folder.path, "new")));
    const names = await readdir(join(folder.path, "new"));
    assert.deepEqual(names, ["certificates.json"]);
    assert.equal((await stat(join(folder.path, "new"))).mode & 0o777, 0o700);
    assert.equal((await stat(join(folder.path, "new", "certificates.json"))).mode & 0o777, 0o600);
  });

  it("is an error where its state is damaged", async () => {
    await writeFile(join(folder.path, "certificates.json"), "{");
    await assert.rejects(issue(createProxyState(folder.path)), /it is damaged; delete it/);
  });

  it("is an error where its state cannot be kept", async () => {
    await assert.rejects(issue(createProxyState("/dev/null/state")), /ENOTDIR|not a directory/);
  });
});

describe("the token that apps have to show", () => {
  it("is made once, and is the same after a restart", async () => {
    await using folder = await createTemporaryFolder("state");
    const first = await createProxyState(folder.path).appToken();
    assert.match(first, /^[\w-]{43}$/);
    assert.equal(await createProxyState(folder.path).appToken(), first);
    assert.notEqual(await createProxyState(undefined).appToken(), first);
  });
});
