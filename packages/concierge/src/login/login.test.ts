import assert from "node:assert/strict";
import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { collectBody, createHttpServer, type HttpRequest, type HttpServer } from "@rookery/http";
import { createCertificateAuthority } from "@rookery/pki";
import { createTemporaryFolder, type TemporaryFolder } from "@rookery/testing";
import { LoginError } from "../errors.ts";
import { type LoginOptions, login } from "./login.ts";

const group = "login.concierge.team1.example.com";
const path = `/apis/${group}/v1alpha1/tokencredentialrequests`;

/** An API server with a concierge that knows one token, in so many words. */
class FakeCluster {
  readonly requests: { path: string; body: string; authorization: unknown }[] = [];
  expires = "2100-01-01T00:00:00Z";
  server: HttpServer | undefined;
  ca = "";

  async start() {
    const authority = await createCertificateAuthority({ commonName: "cluster" });
    const names = { commonName: "api", ipAddresses: ["127.0.0.1"] };
    const leaf = await authority.issue({ ...names, usages: ["server"] });
    this.ca = authority.certificate;
    this.server = createHttpServer({
      tls: { cert: leaf.certificate, key: leaf.key },
      handler: (request) => this.#answer(request),
      onError: () => {},
    });
    await this.server.listen({ host: "127.0.0.1", port: 0 });
  }

  async #answer(request: HttpRequest) {
    const body = Buffer.from(await collectBody(request.body, { limit: 1e6 })).toString();
    const { authorization } = request.headers;
    this.requests.push({ path: request.path, body, authorization });
    if (request.path !== path) return json(404, { kind: "Status", code: 404, reason: "NotFound" });
    const { token } = JSON.parse(body).spec;
    const credential = {
      expirationTimestamp: this.expires,
      clientCertificateData: `certificate ${this.requests.length}`,
      clientKeyData: "key",
    };
    const status = token === "good" ? { credential } : { message: "authentication failed" };
    return json(201, { apiVersion: `${group}/v1alpha1`, kind: "TokenCredentialRequest", status });
  }
}

const json = (status: number, body: object) => ({
  status,
  headers: { "content-type": "application/json" },
  body: Buffer.from(JSON.stringify(body)),
});

describe("rookery login", () => {
  const cluster = new FakeCluster();
  let folder: TemporaryFolder;
  let caches = 0;

  before(async () => {
    folder = await createTemporaryFolder("login");
    await cluster.start();
  });
  after(async () => {
    await cluster.server?.close({ graceMs: 0 });
    await folder[Symbol.asyncDispose]();
  });

  const newCache = () => join(folder.path, `cache-${caches++}`);
  const execInfo = (apiVersion = "client.authentication.k8s.io/v1") =>
    JSON.stringify({
      apiVersion,
      kind: "ExecCredential",
      spec: {
        interactive: false,
        cluster: {
          server: cluster.server?.url,
          "certificate-authority-data": Buffer.from(cluster.ca).toString("base64"),
        },
      },
    });

  const warnings: string[] = [];
  const run = (options: Partial<LoginOptions> = {}, env: Record<string, string> = {}) =>
    login(
      {
        apiGroupSuffix: "team1.example.com",
        authenticatorType: "jwt",
        authenticatorName: "corp",
        cacheFolder: newCache(),
        ...options,
      },
      {
        env: { PATH: process.env.PATH, KUBERNETES_EXEC_INFO: execInfo(), ...env },
        warn: (text) => void warnings.push(text),
      },
    ).then((text) => JSON.parse(text));

  it("exchanges a token for a certificate, at the concierge of the suffix, as nobody", async () => {
    const credential = await run({ token: "good" });
    assert.equal(credential.apiVersion, "client.authentication.k8s.io/v1");
    assert.equal(credential.kind, "ExecCredential");
    assert.equal(credential.status.clientKeyData, "key");
    const { body, authorization } = cluster.requests.at(-1) ?? {};
    assert.equal(authorization, undefined);
    assert.deepEqual(JSON.parse(body ?? "").spec, {
      token: "good",
      authenticator: {
        apiGroup: "authentication.concierge.team1.example.com",
        kind: "JWTAuthenticator",
        name: "corp",
      },
    });
  });

  it("speaks v1beta1 to clients that do", async () => {
    const apiVersion = "client.authentication.k8s.io/v1beta1";
    const env = { KUBERNETES_EXEC_INFO: execInfo(apiVersion) };
    assert.equal((await run({ token: "good" }, env)).apiVersion, apiVersion);
  });

  it("takes the token from a file, the environment or a command", async () => {
    const tokenFile = join(folder.path, "token");
    await writeFile(tokenFile, "good\n");
    assert.ok((await run({ tokenFile })).status);
    assert.ok((await run({ tokenEnv: "TOKEN" }, { TOKEN: "good" })).status);
    assert.ok((await run({ tokenCommand: "printf go; echo od" })).status);
  });

  it("goes to the server of the flags where kubectl names none", async () => {
    const certificateAuthority = join(folder.path, "ca.pem");
    await writeFile(certificateAuthority, cluster.ca);
    const server = cluster.server?.url ?? "";
    const env = { KUBERNETES_EXEC_INFO: "" };
    assert.ok((await run({ token: "good", server, certificateAuthority }, env)).status);
  });

  it("keeps the certificate in a file of its user alone, until it expires", async () => {
    const cacheFolder = newCache();
    const first = await run({ token: "good", cacheFolder });
    assert.deepEqual(await run({ token: "good", cacheFolder }), first);
    const [file = ""] = await readdir(cacheFolder);
    assert.equal((await stat(join(cacheFolder, file))).mode & 0o777, 0o600);
    assert.equal((await stat(cacheFolder)).mode & 0o777, 0o700);
    assert.doesNotMatch(await readFile(join(cacheFolder, file), "utf8"), /good/);
    await assert.rejects(run({ token: "bad", cacheFolder }), LoginError);
  });

  it("asks again when the certificate is about to expire", async () => {
    const cacheFolder = newCache();
    cluster.expires = new Date(Date.now() + 5_000).toISOString();
    const first = await run({ token: "good", cacheFolder });
    cluster.expires = "2100-01-01T00:00:00Z";
    assert.notDeepEqual(await run({ token: "good", cacheFolder }), first);
  });

  it("does not trust a file that others can read, nor one that is damaged", async () => {
    const cacheFolder = newCache();
    const first = await run({ token: "good", cacheFolder });
    const file = join(cacheFolder, (await readdir(cacheFolder))[0] ?? "");
    await chmod(file, 0o644);
    const second = await run({ token: "good", cacheFolder });
    assert.notDeepEqual(second, first);
    await writeFile(file, "{");
    assert.notDeepEqual(await run({ token: "good", cacheFolder }), second);
  });

  it("runs no command while it has a certificate", async () => {
    const cacheFolder = newCache();
    const ran = join(folder.path, "ran");
    const tokenCommand = `echo . >> ${ran}; echo good`;
    await run({ tokenCommand, cacheFolder });
    await run({ tokenCommand, cacheFolder });
    assert.equal(await readFile(ran, "utf8"), ".\n");
  });

  it("goes on where nothing can be kept, and says so", async () => {
    const cacheFolder = join(folder.path, "token", "no-folder");
    await writeFile(join(folder.path, "token"), "a file");
    assert.ok((await run({ token: "good", cacheFolder })).status);
    assert.match(warnings.at(-1) ?? "", /could not keep the certificate for the next call/);
  });

  const failures: Record<string, [Partial<LoginOptions>, Record<string, string>, RegExp]> = {
    "a token that is refused": [
      { token: "bad" },
      {},
      /authentication failed: is the token valid .* JWTAuthenticator "corp" ready/,
    ],
    "a concierge that is not there": [
      { token: "good", apiGroupSuffix: "team9.example.com" },
      {},
      /serves no login\.concierge\.team9\.example\.com: .*--api-group-suffix/,
    ],
    "no token": [{}, {}, /no token is given; pass one of --token, --token-file/],
    "two tokens": [{ token: "a", tokenEnv: "B" }, {}, /--token and --token-env are given/],
    "an empty variable": [{ tokenEnv: "TOKEN" }, {}, /--token-env gives no token/],
    "a file that is not there": [{ tokenFile: "/no/file" }, {}, /\/no\/file can't be read/],
    "a command that fails": [
      { tokenCommand: "echo secret; exit 3" },
      {},
      /command of --token-command ended with exit code 3$/,
    ],
    "a command that says more": [{ tokenCommand: "echo a b" }, {}, /gives more than a token/],
    "no cluster": [
      { token: "good" },
      { KUBERNETES_EXEC_INFO: "" },
      /provideClusterInfo: true .* or pass --server/,
    ],
    "a client that speaks v1alpha1": [
      { token: "good" },
      { KUBERNETES_EXEC_INFO: '{"apiVersion":"client.authentication.k8s.io/v1alpha1"}' },
      /set apiVersion of the kubeconfig's exec to/,
    ],
    "a client that speaks nothing": [
      { token: "good" },
      { KUBERNETES_EXEC_INFO: "{" },
      /KUBERNETES_EXEC_INFO is not JSON/,
    ],
    "an authenticator of no kind": [
      { token: "good", authenticatorType: "saml" },
      {},
      /--authenticator-type is "saml", not jwt or webhook/,
    ],
    "a server in the clear": [
      { token: "good", server: "http://127.0.0.1" },
      {},
      /not a URL that begins with https/,
    ],
  };
  for (const [name, [options, env, message]] of Object.entries(failures)) {
    it(`says what to do about ${name}`, async () => {
      await assert.rejects(run(options, env), (error: Error) => {
        assert.ok(error instanceof LoginError, String(error));
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /secret/);
        return true;
      });
    });
  }
});
