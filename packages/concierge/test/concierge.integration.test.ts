import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { parseCertificate } from "@rookery/pki";
import {
  createTemporaryFolder,
  type Kubernetes,
  runCommand,
  startKubernetes,
  type TemporaryFolder,
  waitFor,
} from "@rookery/testing";
import { loginKubeconfig } from "./login-kubeconfig.ts";
import { OidcIssuer } from "./oidc-issuer.ts";
import { RunningConcierge } from "./running-concierge.ts";
import { whoAmI } from "./self-subject-review.ts";
import { startTokenWebhook, type TokenWebhook } from "./token-webhook.ts";

const suffix = "single.concierge.example.com";
const failed = { message: "authentication failed" };

describe("a concierge under API aggregation on a real Kubernetes", () => {
  let kubernetes: Kubernetes;
  let folder: TemporaryFolder;
  let issuer: OidcIssuer;
  let webhook: TokenWebhook;
  let concierge: RunningConcierge;

  before(async () => {
    kubernetes = await startKubernetes();
    folder = await createTemporaryFolder("concierge");
    [issuer, webhook] = await Promise.all([
      OidcIssuer.start(),
      startTokenWebhook("a-webhook-token"),
    ]);
    const at = { kubernetes, folder: folder.path };
    concierge = await RunningConcierge.start({ ...at, suffix, withKey: true });
    await concierge.trust(issuer, "corp", "cluster");
  });

  after(async () => {
    await concierge?.[Symbol.asyncDispose]();
    await webhook?.[Symbol.asyncDispose]();
    await issuer?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
    await kubernetes?.[Symbol.asyncDispose]();
  });

  const pip = { username: "pip", groups: ["birds", "swimmers"] };
  const goodToken = (claims: object = {}) => issuer.token({ ...pip, aud: "cluster", ...claims });
  const apply = (manifest: object) =>
    kubernetes.kubectl(["apply", "--filename=-"], { stdin: JSON.stringify(manifest) });
  const authenticators = (kind: string) =>
    `${kind.toLowerCase()}s.${concierge.group("authentication")}`;

  it("exchanges a good token for a certificate of five minutes, by which the user is known", async () => {
    const { status, body } = await concierge.exchange(await goodToken());
    assert.equal(status, 201, JSON.stringify(body));
    const { clientCertificateData, clientKeyData, expirationTimestamp } = body.status.credential;
    const { subject, notAfter } = parseCertificate(clientCertificateData);
    assert.deepEqual(subject, { commonName: "pip", organizations: ["birds", "swimmers"] });
    assert.equal(Date.parse(expirationTimestamp), notAfter.getTime());
    assert.ok(notAfter.getTime() - Date.now() <= 5 * 60_000);
    const as = { certificate: clientCertificateData, key: clientKeyData };
    assert.deepEqual(await whoAmI(kubernetes, as), {
      username: "pip",
      groups: ["birds", "swimmers", "system:authenticated"],
    });
    assert.doesNotMatch(JSON.stringify(body), /eyJ/, "the token comes back");
  });

  it("knows a user who says to be authenticated, as everybody else does", async () => {
    const { body } = await concierge.exchange(
      await goodToken({ groups: ["system:authenticated"] }),
    );
    const { subject } = parseCertificate(body.status.credential.clientCertificateData);
    assert.deepEqual(subject, { commonName: "pip", organizations: [] });
  });

  it("knows users whose names and groups are long, or not English", async () => {
    const username = `corp:serviceaccount:${"n".repeat(63)}:${"a".repeat(200)}`;
    const groups = ["Gruppe Ä, mit Komma", "O=evil,CN=admin", "团队"];
    const { body } = await concierge.exchange(await goodToken({ username, groups }));
    const { clientCertificateData: certificate, clientKeyData: key } = body.status.credential;
    const user = await whoAmI(kubernetes, { certificate, key });
    assert.equal(user.username, username);
    assert.deepEqual(user.groups, [...groups, "system:authenticated"]);
  });

  const refused: Record<string, () => Promise<string> | string> = {
    "a token for somebody else": () => goodToken({ aud: "another" }),
    "a token that has expired": () => goodToken({ exp: 1 }),
    "a token of another issuer": () => goodToken({ iss: "https://127.0.0.1:1" }),
    "a token that was changed": async () => `${await goodToken()}AAAA`,
    "something that is no token": () => "hello",
    "a token for a user of Kubernetes' own": () => goodToken({ username: "system:admin" }),
    "a token with a group of Kubernetes' own": () => goodToken({ groups: ["a", "system:masters"] }),
  };
  for (const [name, token] of Object.entries(refused)) {
    it(`refuses ${name}, and does not say why`, async () => {
      const { status, body } = await concierge.exchange(await token());
      assert.equal(status, 201);
      assert.deepEqual(body.status, failed);
    });
  }

  const misses: Record<string, Readonly<Record<string, unknown>>> = {
    "the default group": { apiGroup: "authentication.concierge.pinniped.dev" },
    "no group": { apiGroup: undefined },
    "null for a group": { apiGroup: null },
    "a wrong group": { apiGroup: "example.com" },
    "a kind that there is not": { kind: "SAMLAuthenticator" },
    "a name that there is not": { name: "nobody" },
  };
  for (const [name, reference] of Object.entries(misses)) {
    it(`refuses a good token with ${name}`, async () => {
      const { status, body } = await concierge.exchange(await goodToken(), reference);
      assert.equal(status, 201, JSON.stringify(body));
      assert.deepEqual(body.status, failed);
    });
  }

  it("refuses a request without a token, a dry run, and a namespace", async () => {
    const empty = await concierge.exchange("");
    assert.equal(empty.status, 422);
    assert.match(empty.body.message, /spec\.token\.value: Required value: token must be supplied/);
    assert.match(
      empty.body.message,
      new RegExp(`TokenCredentialRequest.login.concierge.${suffix}`),
    );
    const dry = await concierge.exchange(await goodToken(), {}, "?dryRun=All");
    assert.equal(dry.status, 400);
    const path = `/apis/${concierge.group("login")}/v1alpha1/namespaces/a/tokencredentialrequests`;
    assert.equal((await kubernetes.request("POST", path, { body: {} })).status, 404);
  });

  it("lists nothing, for anybody", async () => {
    for (const [name, plural] of [
      ["login", "tokencredentialrequests"],
      ["identity", "whoamirequests"],
    ] as const) {
      const path = `/apis/${concierge.group(name)}/v1alpha1/${plural}`;
      const { status, body } = await kubernetes.request("GET", path, { as: "anonymous" });
      assert.equal(status, 200);
      assert.deepEqual(body.items, []);
    }
  });

  it("tells kubectl what it serves, under the groups of the suffix", async () => {
    // Discovery follows what is served; kubectl fails while anybody's group does not answer.
    await waitFor(
      async () => {
        const resources = await kubernetes.kubectl(["api-resources", "--categories=pinniped"]);
        for (const line of [
          /^tokencredentialrequests +login\.concierge\.single\S+\/v1alpha1 +false/m,
          /^whoamirequests +identity\.concierge\.single\S+\/v1alpha1 +false/m,
          /^jwtauthenticators +authentication\.concierge\.single\S+\/v1alpha1/m,
        ]) {
          assert.match(resources, line);
        }
        return true;
      },
      { what: "kubectl to know all kinds", timeout: 180_000 },
    );
    const fullName = `tokencredentialrequests.${concierge.group("login")}`;
    const explained = await waitFor(
      () => kubernetes.kubectl(["explain", `${fullName}.spec.authenticator`]),
      // It reads the documents of a server that did not answer again after a minute.
      { what: "the aggregator to know the group for good", timeout: 180_000 },
    );
    assert.match(explained, new RegExp(`GROUP: +${concierge.group("login")}`));
    assert.match(explained, /apiGroup\t<string>/);
  });

  it("tells a client who it is", async () => {
    const manifest = `apiVersion: ${concierge.group("identity")}/v1alpha1\nkind: WhoAmIRequest\n`;
    const user = "jsonpath={.status.kubernetesUserInfo.user.username}";
    const args = ["create", "--filename=-", "-o", user];
    assert.equal(await kubernetes.kubectl(args, { stdin: manifest }), "kubernetes-admin");
  });

  it("says how it signs", async () => {
    const plural = `credentialissuers.${concierge.group("config")}`;
    const issuers = await waitFor(
      async () => {
        const { items } = JSON.parse(await kubernetes.kubectl(["get", plural, "-o", "json"]));
        return items[0]?.status && items;
      },
      { what: "a CredentialIssuer with a status" },
    );
    assert.equal(issuers.length, 1);
    assert.deepEqual(
      issuers[0].status.strategies.map(({ type, status, reason }: Record<string, string>) => ({
        type,
        status,
        reason,
      })),
      [
        { type: "KubeClusterSigningCertificate", status: "Success", reason: "FetchedKey" },
        { type: "CertificateSigningRequest", status: "Error", reason: "Disabled" },
      ],
    );
  });

  it("asks a webhook, and forgets it the moment in which it is deleted", async () => {
    const apiVersion = `${concierge.group("authentication")}/v1alpha1`;
    const metadata = { name: "hook" };
    const tls = { certificateAuthorityData: webhook.caData };
    await apply({
      apiVersion,
      kind: "WebhookAuthenticator",
      metadata,
      spec: { endpoint: webhook.url, tls },
    });
    const plural = authenticators("WebhookAuthenticator");
    await kubernetes.kubectl(["wait", `${plural}/hook`, "--for=condition=Ready", "--timeout=60s"]);
    const reference = { kind: "WebhookAuthenticator", name: "hook" };
    const known = await concierge.exchange("a-webhook-token", reference);
    assert.equal(
      parseCertificate(known.body.status.credential.clientCertificateData).subject.commonName,
      "webhook-user",
    );
    assert.deepEqual((await concierge.exchange("another", reference)).body.status, failed);
    await kubernetes.kubectl(["delete", plural, "hook"]);
    const isRefused = async () =>
      (await concierge.exchange("a-webhook-token", reference)).body.status.message !== undefined;
    await waitFor(isRefused, { what: "the deletion to be noticed" });
  });

  it("says what is wrong with an authenticator, and takes it up when it is mended", async () => {
    const apiVersion = `${concierge.group("authentication")}/v1alpha1`;
    const spec = { issuer: issuer.url, audience: "cluster" };
    const manifest = { apiVersion, kind: "JWTAuthenticator", metadata: { name: "mended" }, spec };
    await apply(manifest);
    const condition = await waitFor(
      async () => {
        const { status } = await concierge.authenticator("mended");
        return status?.conditions?.find(
          ({ type }: { type: string }) => type === "DiscoveryURLValid",
        );
      },
      { what: "conditions" },
    );
    assert.equal(condition.status, "False");
    assert.equal(condition.reason, "InvalidDiscoveryProbe");
    assert.match(condition.message, /certificate/);
    const tls = { certificateAuthorityData: issuer.caData };
    await apply({ ...manifest, spec: { ...spec, tls } });
    await concierge.ready("mended");
    const { body } = await concierge.exchange(await goodToken(), { name: "mended" });
    assert.ok(body.status.credential);
  });

  it("takes tokens that are signed with a new key, once the issuer has one", async () => {
    await issuer.rotate("second");
    const token = await goodToken();
    const isTaken = async () =>
      (await concierge.exchange(token)).body.status.credential !== undefined;
    await waitFor(isTaken, { what: "the new key to be known", interval: 500 });
  });

  it("has the API server refuse an issuer in the clear", async () => {
    const apiVersion = `${concierge.group("authentication")}/v1alpha1`;
    const spec = { issuer: "http://issuer.example.com", audience: "cluster" };
    const metadata = { name: "clear" };
    await assert.rejects(
      apply({ apiVersion, kind: "JWTAuthenticator", metadata, spec }),
      /spec\.issuer in body should match '\^https:\/\/'/,
    );
  });

  it("logs users of kubectl in, who then work as themselves", async () => {
    const kubeconfig = join(folder.path, "user.kubeconfig");
    const cacheFolder = join(folder.path, "login-cache");
    const tokenFile = join(folder.path, "token");
    await writeFile(tokenFile, await goodToken());
    const login = [`--api-group-suffix=${suffix}`, "--authenticator-name=corp"];
    const args = [...login, `--token-file=${tokenFile}`, `--cache-folder=${cacheFolder}`];
    await writeFile(kubeconfig, loginKubeconfig(kubernetes, args));
    const kubectl = (...words: string[]) =>
      runCommand(kubernetes.description.kubectl, [`--kubeconfig=${kubeconfig}`, ...words]);
    assert.match(
      await kubectl("auth", "whoami"),
      /Username +pip\nGroups +\[birds swimmers system:/,
    );
    await assert.rejects(kubectl("get", "pods"), /User "pip" cannot list resource "pods"/);
    const exchanges = async () => (await concierge.log).split("Issued a client certificate").length;
    const before = await exchanges();
    await kubectl("auth", "whoami");
    assert.equal(await exchanges(), before, "the certificate is used again");
    await rm(cacheFolder, { recursive: true });
    await writeFile(tokenFile, "hello");
    await assert.rejects(
      kubectl("auth", "whoami"),
      /could not log in: authentication failed: is the/,
    );
  });

  it("counts what it has exchanged, knows and signs with", async () => {
    const metrics = await concierge.metrics();
    const exchanges = "rookery_concierge_token_credential_requests_total";
    for (const result of ["Issued", "Refused"]) {
      const labels = `authenticator="JWTAuthenticator",result="${result}"`;
      assert.match(metrics, new RegExp(`^${exchanges}\\{${labels}\\} [1-9]`, "m"));
    }
    assert.match(metrics, /^rookery_concierge_authenticators\{kind="JWT.*,ready="true"\} [1-9]/m);
    assert.match(metrics, /^rookery_concierge_signing_strategy\{type="[^"]+",reason="[^"]+"\} 1$/m);
  });

  it("leaves no token and no key in its log", async () => {
    const log = await concierge.log;
    assert.match(log, /Issued a client certificate/);
    assert.match(log, /Refused a token/);
    assert.doesNotMatch(log, /eyJ|PRIVATE KEY|a-webhook-token/);
  });
});
