import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { text as streamText } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import {
  type Client,
  type ClientConfig,
  createClient,
  inClusterConfig,
  loadConfig,
} from "@rookery/client";
import { createHttpClient, type HttpHeaders } from "@rookery/http";
import type { KubeObject } from "@rookery/kube";
import { createCertificateAuthority } from "@rookery/pki";
import { sidecarEnvironment } from "@rookery/proxy";
import {
  createTemporaryFolder,
  type Kubernetes,
  startKubernetes,
  type TemporaryFolder,
  type TestNamespace,
  waitFor,
} from "@rookery/testing";
import { request, text } from "./passing-world.ts";
import { startProxy } from "./start-proxy.ts";

const review = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview", metadata: {} };
const reviewPath = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

interface Answer {
  readonly status: number;
  readonly user: string;
  readonly body: string;
}

describe("whom a real API server sees behind the proxy", () => {
  let kubernetes: Kubernetes;
  let namespace: TestNamespace;
  let folder: TemporaryFolder;
  let token: string;
  let account: string;

  before(async () => {
    kubernetes = await startKubernetes();
    namespace = await kubernetes.createNamespace("proxy-identity");
    folder = await createTemporaryFolder("identity");
    token = await requestToken();
    account = `system:serviceaccount:${namespace.name}:default`;
  });
  after(async () => {
    await folder[Symbol.asyncDispose]();
    await namespace[Symbol.asyncDispose]();
    await kubernetes[Symbol.asyncDispose]();
  });

  async function requestToken(): Promise<string> {
    const path = `/api/v1/namespaces/${namespace.name}/serviceaccounts/default/token`;
    const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
    return (await kubernetes.request("POST", path, { body })).body.status.token;
  }

  const start = (...args: string[]) =>
    startProxy(kubernetes.description.kubectl, [`--upstream=${kubernetes.kubeconfig}`, ...args]);

  /** Asks who it is, with these headers and perhaps a certificate. */
  async function whoAmI(
    proxy: Awaited<ReturnType<typeof start>>,
    headers: HttpHeaders,
    certificate: { cert?: string; key?: string } = {},
  ): Promise<Answer> {
    const tls = { ca: await proxy.ca(), ...certificate };
    await using client = createHttpClient({ origin: proxy.appUrl, tls });
    const response = await client.handler(
      request({
        method: "POST",
        path: reviewPath,
        headers: { "content-type": "application/json", ...headers },
        body: Buffer.from(JSON.stringify(review)),
      }),
    );
    const body = await text(response);
    const user = JSON.parse(body).status?.userInfo?.username ?? "";
    return { status: response.status, user, body };
  }

  async function nameOf(client: Client): Promise<string | undefined> {
    const reviews =
      await client.kind<KubeObject<never, { userInfo: { username: string } }>>(review);
    return (await reviews.create(review)).status?.userInfo.username;
  }

  test("with the app's identity: the app, by its token", async () => {
    await using proxy = await start("--identity=app");
    const { status, user } = await whoAmI(proxy, { authorization: `Bearer ${token}` });
    assert.deepEqual([status, user], [201, account]);
    assert.doesNotMatch(proxy.log, new RegExp(token));
  });

  test("with the app's identity: nobody without a token, and never the proxy", async () => {
    await using proxy = await start("--identity=app");
    for (const headers of [{}, { "x-remote-user": "admin", "x-remote-group": "system:masters" }]) {
      const { status, body } = await whoAmI(proxy, headers);
      assert.equal(status, 403);
      assert.match(body, /User \\"system:anonymous\\" cannot create/);
    }
    assert.equal((await whoAmI(proxy, { authorization: "Bearer x" })).status, 401);
  });

  test("with the app's identity: nobody else than it may act as", async () => {
    await using proxy = await start("--identity=app");
    const headers = { authorization: `Bearer ${token}`, "impersonate-user": "admin" };
    const { status, body } = await whoAmI(proxy, headers);
    assert.equal(status, 403);
    assert.match(body, /cannot impersonate resource/);
  });

  test("with the proxy's identity: the proxy, for those who have its token", async () => {
    await using proxy = await start("--identity=proxy");
    await using client = createClient(await loadConfig({ path: proxy.kubeconfig }));
    assert.equal(await nameOf(client), "kubernetes-admin");
    for (const headers of [{}, { authorization: `Bearer ${token}` }]) {
      assert.equal((await whoAmI(proxy, headers)).status, 401);
    }
  });

  test("with the proxy's identity: the proxy, for those who have a certificate", async () => {
    const authority = await createCertificateAuthority({ commonName: "clients" });
    const other = await createCertificateAuthority({ commonName: "clients" });
    const file = join(folder.path, "clients.crt");
    await writeFile(file, authority.certificate);
    await using proxy = await start(`--client-ca-file=${file}`, "--app-kubeconfig-out=");
    const show = async (issuer: typeof authority) => {
      const { certificate: cert, key } = await issuer.issue({
        commonName: "app",
        usages: ["client"],
      });
      return whoAmI(proxy, {}, { cert, key });
    };
    assert.equal((await show(authority)).user, "kubernetes-admin");
    assert.equal((await show(other)).status, 401);
    assert.equal((await whoAmI(proxy, {})).status, 401);
  });

  test("in the clear: the proxy, for those who ask for localhost", async () => {
    const args = ["--plain-http", "--ca-file-out=", "--app-kubeconfig-out="];
    await using proxy = await start("--identity=proxy", ...args);
    assert.match(proxy.appUrl, /^http:/);
    assert.equal((await fetch(`${proxy.appUrl}/version`)).status, 200);
    // A name that a web page may have brought along.
    const { port } = new URL(proxy.appUrl);
    const socket = connect(Number(port), "127.0.0.1");
    socket.end("GET /version HTTP/1.1\r\nhost: evil.example.com\r\nconnection: close\r\n\r\n");
    assert.match(await streamText(socket), /^HTTP\/1.1 403 /);
  });

  describe("beside an app in a pod", () => {
    /** What kubelet gives to the proxy's container, and what the proxy gives to the app's. */
    async function startSidecar() {
      const own = join(folder.path, "own");
      const app = join(folder.path, "app");
      await mkdir(own, { recursive: true });
      await writeFile(join(own, "token"), token);
      const upstream = join(folder.path, "upstream");
      const cluster = {
        server: kubernetes.server,
        "certificate-authority-data": Buffer.from(kubernetes.ca).toString("base64"),
      };
      await writeFile(
        upstream,
        JSON.stringify({
          "current-context": "c",
          contexts: [
            { name: "c", context: { cluster: "k", user: "u", namespace: namespace.name } },
          ],
          clusters: [{ name: "k", cluster }],
          users: [{ name: "u", user: { tokenFile: join(own, "token") } }],
        }),
      );
      const proxy = await start(
        "--identity=app",
        `--upstream=${upstream}`,
        `--app-service-account-dir=${app}`,
        `--state-dir=${join(folder.path, "state")}`,
      );
      return { proxy, own, app };
    }

    const configOf = (app: string, url: string): Promise<ClientConfig> =>
      inClusterConfig({ folder: app, env: sidecarEnvironment(Number(new URL(url).port)) });

    test("a client finds the proxy as it finds the API server", async () => {
      const { proxy, app } = await startSidecar();
      await using _ = proxy;
      const config = await configOf(app, proxy.appUrl);
      assert.equal(config.namespace, namespace.name);
      await using client = createClient(config);
      assert.equal(await nameOf(client), account);
    });

    test("a client goes on when the proxy's container is started again", async () => {
      const first = await startSidecar();
      const config = await configOf(first.app, first.proxy.appUrl);
      const { port } = new URL(first.proxy.appUrl);
      await first.proxy[Symbol.asyncDispose]();
      const again = await startSidecar();
      await using _ = again.proxy;
      // Another port, because the first may be taken by now; the authority is what counts.
      const server = config.server.replace(port, new URL(again.proxy.appUrl).port);
      await using client = createClient({ ...config, server });
      assert.equal(await nameOf(client), account);
    });

    test("the app's token follows the one that kubelet renews", async () => {
      const { proxy, own, app } = await startSidecar();
      await using _ = proxy;
      const renewed = await requestToken();
      await writeFile(join(own, "token"), renewed);
      await waitFor(async () => (await readFile(join(app, "token"), "utf8")) === renewed, {
        what: "the renewed token",
      });
    });
  });

  test("a certificate from files is served, and replaced when they change", async () => {
    const certificates = join(folder.path, "tls");
    await mkdir(certificates);
    const write = async () => {
      const authority = await createCertificateAuthority({ commonName: "proxy" });
      const names = { commonName: "proxy", ipAddresses: ["127.0.0.1"] };
      const leaf = await authority.issue({ ...names, usages: ["server"] });
      await writeFile(join(certificates, "tls.crt"), leaf.certificate);
      await writeFile(join(certificates, "tls.key"), leaf.key);
      await writeFile(join(certificates, "ca.crt"), authority.certificate);
      return authority.certificate;
    };
    const ca = await write();
    await using proxy = await start("--identity=proxy", `--tls-cert-dir=${certificates}`);
    assert.equal(await proxy.ca(), ca);
    await using client = createClient(await loadConfig({ path: proxy.kubeconfig }));
    assert.equal(await nameOf(client), "kubernetes-admin");
    const next = await write();
    await waitFor(async () => (await proxy.ca()) === next, { what: "the new authority" });
    await waitFor(
      async () => {
        const config = await loadConfig({ path: proxy.kubeconfig });
        await using fresh = createClient(config);
        // One that trusts nobody else: the kubeconfig and what is served may both be the old ones.
        await using strict = createClient({ ...config, certificateAuthority: { pem: next } });
        const seen = [await nameOf(fresh), await nameOf(strict)];
        return seen.every((name) => name === "kubernetes-admin");
      },
      { what: "the new certificate" },
    );
    await using stale = createClient(
      {
        ...(await loadConfig({ path: proxy.kubeconfig })),
        certificateAuthority: { pem: ca },
      },
      { retries: 0 },
    );
    await assert.rejects(nameOf(stale), /certificate/);
  });
});
