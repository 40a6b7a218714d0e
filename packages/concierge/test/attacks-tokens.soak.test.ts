import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { collectBody, createHttpServer } from "@rookery/http";
import { createCertificateAuthority, parseCertificate } from "@rookery/pki";
import { createTemporaryFolder, type Kubernetes, startKubernetes, waitFor } from "@rookery/testing";
import { OidcIssuer } from "./oidc-issuer.ts";
import { RunningConcierge } from "./running-concierge.ts";

const suffix = "attacks.concierge.example.com";
const failed = { message: "authentication failed" };
const pip = { username: "pip", groups: ["birds"], aud: "cluster" };
/** "system:masters" as a DER string in hexadecimal digits, which names of certificates may be written as. */
const masters = "system:masters";
const hexadecimal = `#0c${masters.length.toString(16).padStart(2, "0")}${Buffer.from(masters).toString("hex")}`;

/** A webhook that says of any token that it is this user's. */
async function startLiar(user: object) {
  const authority = await createCertificateAuthority({ commonName: "liar" });
  const names = { commonName: "liar", ipAddresses: ["127.0.0.1"] };
  const leaf = await authority.issue({ ...names, usages: ["server"] });
  const server = createHttpServer({
    tls: { cert: leaf.certificate, key: leaf.key },
    handler: async (request) => {
      const bytes = await collectBody(request.body, { limit: 1024 * 1024 });
      const review = JSON.parse(Buffer.from(bytes).toString("utf8"));
      const body = JSON.stringify({ ...review, status: { authenticated: true, user } });
      const headers = { "content-type": "application/json" };
      return { status: 200, headers, body: Buffer.from(body) };
    },
    onError: () => {},
  });
  await server.listen({ host: "127.0.0.1", port: 0 });
  return {
    endpoint: `${server.url}/review`,
    caData: Buffer.from(authority.certificate).toString("base64"),
    [Symbol.asyncDispose]: () => server.close({ graceMs: 0 }),
  };
}

describe("attacks on the concierge by tokens", () => {
  const stack = new AsyncDisposableStack();
  let kubernetes: Kubernetes;
  let issuer: OidcIssuer;
  let concierge: RunningConcierge;

  before(async () => {
    kubernetes = stack.use(await startKubernetes());
    const folder = stack.use(await createTemporaryFolder("concierge-attacks")).path;
    issuer = stack.use(await OidcIssuer.start());
    // With the key of the cluster's authority: nobody but the concierge looks at names then.
    concierge = stack.use(
      await RunningConcierge.start({ kubernetes, folder, suffix, withKey: true }),
    );
    await concierge.trust(issuer, "corp", "cluster");
  });
  after(() => stack.disposeAsync());

  async function refused(claims: object, name = "corp"): Promise<void> {
    const token = await issuer.token({ ...pip, ...claims });
    assert.deepEqual((await concierge.exchange(token, { name })).body.status, failed);
  }

  /** The subject of the certificate that a token is exchanged for. */
  async function subjectOf(claims: object, name = "corp") {
    const token = await issuer.token({ ...pip, ...claims });
    const { body } = await concierge.exchange(token, { name });
    assert.ok(body.status.credential, JSON.stringify(body));
    return parseCertificate(body.status.credential.clientCertificateData).subject;
  }

  async function apply(kind: string, name: string, spec: object): Promise<void> {
    const apiVersion = `${concierge.group("authentication")}/v1alpha1`;
    const stdin = JSON.stringify({ apiVersion, kind, metadata: { name }, spec });
    await kubernetes.kubectl(["apply", "--filename=-"], { stdin });
  }

  async function authenticator(name: string, rules: object): Promise<void> {
    const tls = { certificateAuthorityData: issuer.caData };
    await apply("JWTAuthenticator", name, {
      issuer: issuer.url,
      audience: "cluster",
      tls,
      ...rules,
    });
    await concierge.ready(name);
  }

  it("a token makes its holder a master of the cluster", async () => {
    await refused({ groups: [masters] });
    await refused({ groups: masters });
  });

  it("a token hides a group of Kubernetes' own among a thousand others", async () => {
    const groups = Array.from({ length: 1_000 }, (_, index) => `group-${index}`);
    await refused({ groups: groups.toSpliced(500, 0, "system:nodes") });
  });

  it("a token makes its holder a controller, a node or a service account", async () => {
    const users = ["kube-controller-manager", "node:worker", "serviceaccount:kube-system:default"];
    for (const name of users) await refused({ username: `system:${name}` });
    await refused({ username: "system:apiserver" });
  });

  it("a token completes the prefix of its authenticator to a name of Kubernetes' own", async () => {
    await authenticator("prefixed", { claims: { usernamePrefix: "sys", groupsPrefix: "system" } });
    await refused({ username: "tem:admin" }, "prefixed");
    await refused({ groups: [":masters"] }, "prefixed");
    assert.equal((await subjectOf({ groups: [] }, "prefixed")).commonName, "syspip");
  });

  it("a token has an expression give a name of Kubernetes' own", async () => {
    const groupsExpression = "claims.groups.map(g, 'sys' + g)";
    await authenticator("expressive", { claims: { groupsExpression } });
    await refused({ groups: ["tem:masters"] }, "expressive");
  });

  it("a token writes a group into the name of its certificate", async () => {
    const names = [
      `pip,O=${masters}`,
      `pip+O=${masters}`,
      `pip\nO=${masters}`,
      `/O=${masters}/CN=pip`,
    ];
    for (const username of names) {
      assert.deepEqual(await subjectOf({ username }), {
        commonName: username,
        organizations: ["birds"],
      });
    }
  });

  it("a token names a group in the hexadecimal form that names of certificates have", async () => {
    const subject = await subjectOf({ username: hexadecimal, groups: [hexadecimal] });
    assert.deepEqual(subject, { commonName: hexadecimal, organizations: [hexadecimal] });
  });

  it("a token names its user by what every object inherits", async () => {
    const claims = JSON.parse('{"__proto__": {"username": "admin"}, "username": null}');
    await refused(claims);
    await authenticator("inherited", { claims: { username: "constructor", groups: "toString" } });
    await refused({}, "inherited");
  });

  it("a token keeps the concierge busy by the rules of its authenticator, while others log in", async () => {
    const rule = "claims.many.all(a, claims.many.all(b, claims.many.all(c, a + b >= c - 1000.0)))";
    await authenticator("busy", { claimValidationRules: [{ expression: rule }] });
    const many = Array.from({ length: 2_000 }, (_, index) => index);
    const attacks = Array.from({ length: 20 }, () => refused({ many }, "busy"));
    assert.equal((await subjectOf({})).commonName, "pip");
    await Promise.all(attacks);
  });

  it("a token that is not signed, or by its public key as a secret, is taken", async () => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const good = await issuer.token(pip);
    const [, payload = "", signature = ""] = good.split(".");
    for (const header of [{ alg: "none" }, { alg: "HS256", kid: "first" }]) {
      for (const end of ["", signature]) {
        const token = `${encode(header)}.${payload}.${end}`;
        assert.deepEqual((await concierge.exchange(token)).body.status, failed);
      }
    }
  });

  it("a webhook makes callers masters, nodes or service accounts of the cluster", async () => {
    const users = [
      { username: "pip", groups: ["birds", masters] },
      { username: "system:node:worker", groups: ["system:nodes"] },
      { username: "system:serviceaccount:kube-system:default", groups: [] },
    ];
    for (const [index, user] of users.entries()) {
      await using liar = await startLiar(user);
      const name = `liar-${index}`;
      const tls = { certificateAuthorityData: liar.caData };
      await apply("WebhookAuthenticator", name, { endpoint: liar.endpoint, tls });
      const plural = `webhookauthenticators.${concierge.group("authentication")}/${name}`;
      await kubernetes.kubectl(["wait", plural, "--for=condition=Ready", "--timeout=60s"]);
      const { body } = await concierge.exchange("any", { kind: "WebhookAuthenticator", name });
      assert.deepEqual(body.status, failed);
    }
  });

  it("who reads an answer learns why a token was refused", async () => {
    const token = await issuer.token({ ...pip, groups: [masters] });
    assert.doesNotMatch(JSON.stringify((await concierge.exchange(token)).body.status), /system/);
    const isLogged = async () => (await concierge.log).includes("--allowed-system-names allows it");
    await waitFor(isLogged, { what: "the log to say why" });
  });

  it("an honest user logs in after all of these", async () => {
    assert.deepEqual(await subjectOf({}), { commonName: "pip", organizations: ["birds"] });
  });
});
