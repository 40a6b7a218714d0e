import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { parseCertificate } from "@rookery/pki";
import {
  createTemporaryFolder,
  type Kubernetes,
  startKubernetes,
  type TemporaryFolder,
  waitFor,
} from "@rookery/testing";
import { OidcIssuer } from "./oidc-issuer.ts";
import { RunningConcierge } from "./running-concierge.ts";

const failed = { message: "authentication failed" };

describe("three concierges in one cluster: the default one and two with a suffix", () => {
  let kubernetes: Kubernetes;
  let folder: TemporaryFolder;
  let issuer: OidcIssuer;
  let standard: RunningConcierge;
  let team1: RunningConcierge;
  let team2: RunningConcierge;

  before(async () => {
    kubernetes = await startKubernetes();
    folder = await createTemporaryFolder("concierges");
    issuer = await OidcIssuer.start();
    const at = { kubernetes, folder: folder.path };
    [standard, team1, team2] = await Promise.all([
      RunningConcierge.start({ ...at, withKey: true }),
      RunningConcierge.start({ ...at, suffix: "team1.example.com", withKey: true }),
      RunningConcierge.start({ ...at, suffix: "team2.example.org", withKey: false }),
    ]);
    await standard.trust(issuer, "corp", "standard");
    await team1.trust(issuer, "corp", "team1");
    await team2.trust(issuer, "corp", "team2");
  });

  after(async () => {
    for (const one of [standard, team1, team2]) await one?.[Symbol.asyncDispose]();
    await issuer?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
    await kubernetes?.[Symbol.asyncDispose]();
  });

  const tokenFor = (audience: string) => issuer.token({ username: "pip", aud: audience });
  const all = () => ({ standard, team1, team2 });

  it("each take the tokens that are meant for them, and refuse those for the others", async () => {
    for (const audience of ["standard", "team1", "team2"]) {
      const token = await tokenFor(audience);
      for (const [name, concierge] of Object.entries(all())) {
        const { status, body } = await concierge.exchange(token);
        assert.equal(status, 201, `${name}: ${JSON.stringify(body)}`);
        if (name !== audience) assert.deepEqual(body.status, failed, `${audience} at ${name}`);
        else assert.ok(body.status.credential, `${audience} at ${name}: ${JSON.stringify(body)}`);
      }
    }
  });

  it("refuse authenticators of another instance, also for a good token", async () => {
    const token = await tokenFor("team1");
    for (const concierge of [standard, team2]) {
      const apiGroup = concierge.group("authentication");
      assert.deepEqual((await team1.exchange(token, { apiGroup })).body.status, failed);
    }
  });

  it("never see each other's objects", async () => {
    for (const [name, owner] of Object.entries(all())) {
      const own = `only-${name}`;
      await owner.trust(issuer, own, name);
      const token = await tokenFor(name);
      assert.ok((await owner.exchange(token, { name: own })).body.status.credential);
      for (const other of Object.values(all()).filter((one) => one !== owner)) {
        assert.equal((await other.authenticator(own)).code, 404);
        assert.deepEqual((await other.exchange(token, { name: own })).body.status, failed);
      }
    }
    for (const [name, concierge] of Object.entries(all())) {
      const plural = `jwtauthenticators.${concierge.group("authentication")}`;
      const names = await kubernetes.kubectl(["get", plural, "-o", "jsonpath={..metadata.name}"]);
      assert.deepEqual(names.split(" ").toSorted(), ["corp", `only-${name}`]);
    }
  });

  it("write statuses under their own group, and leave those of the others", async () => {
    for (const concierge of Object.values(all())) {
      const { apiVersion, status, metadata } = await concierge.authenticator("corp");
      assert.equal(apiVersion, `${concierge.group("authentication")}/v1alpha1`);
      assert.equal(status.phase, "Ready");
      for (const { apiVersion: written } of metadata.managedFields) {
        assert.equal(written, apiVersion);
      }
    }
  });

  it("serve discovery and OpenAPI under their own groups", async () => {
    // Discovery and OpenAPI follow what is served; kubectl fails while anybody's group does not answer.
    const timeout = 180_000;
    for (const { installed } of Object.values(all())) {
      const suffix = installed.suffix.replaceAll(".", "\\.");
      const line = new RegExp(`^tokencredentialrequests +login\\.concierge\\.${suffix}/`, "m");
      const list = ["api-resources", "--categories=pinniped"];
      const isListed = async () => line.test(await kubernetes.kubectl(list));
      await waitFor(isListed, { what: `kubectl to list ${line}`, timeout });
      const kind = `tokencredentialrequests.login.concierge.${installed.suffix}`;
      const explain = () => kubernetes.kubectl(["explain", `${kind}.status.credential`]);
      const explained = await waitFor(explain, { what: `kubectl to explain ${kind}`, timeout });
      assert.match(explained, new RegExp(`GROUP: +login\\.concierge\\.${suffix}`));
      assert.match(explained, /clientCertificateData\t<string>/);
    }
  });

  it("sign by the cluster where they have no key, and say why that is ten minutes", async () => {
    const { body } = await team2.exchange(await tokenFor("team2"));
    const { notAfter } = parseCertificate(body.status.credential.clientCertificateData);
    const left = notAfter.getTime() - Date.now();
    assert.ok(left > 5 * 60_000 && left <= 10 * 60_000, `${left} ms`);
    const plural = `credentialissuers.${team2.group("config")}`;
    const strategy = await waitFor(
      async () => {
        const { items } = JSON.parse(await kubernetes.kubectl(["get", plural, "-o", "json"]));
        return items[0]?.status?.strategies[0];
      },
      { what: "a status of the CredentialIssuer" },
    );
    assert.equal(strategy.type, "CertificateSigningRequest");
    assert.equal(strategy.reason, "SignedRequest", strategy.message);
    assert.match(strategy.message, /gives none of 5 minutes/);
    const requests = await kubernetes.kubectl(["get", "csr", "-o", "name"]);
    assert.doesNotMatch(requests, /rookery-concierge-/);
  });

  it("go on when one of them is taken away", async () => {
    await team2[Symbol.asyncDispose]();
    assert.ok((await team1.exchange(await tokenFor("team1"))).body.status.credential);
    assert.ok((await standard.exchange(await tokenFor("standard"))).body.status.credential);
  });
});
