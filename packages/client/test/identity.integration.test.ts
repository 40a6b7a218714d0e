import assert from "node:assert/strict";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { after, before, describe, test } from "node:test";
import {
  type ClientConfig,
  createClient,
  loadConfig,
  type TransportOptions,
} from "@rookery/client";
import { isForbidden, isUnauthorized, type KubeObject } from "@rookery/kube";
import { type Kubernetes, startKubernetes, type TestNamespace } from "@rookery/testing";
import { base64 } from "./certificates.ts";
import { FakeTime } from "./fake-time.ts";
import { configMaps, selfSubjectReviews, serviceAccounts } from "./resources.ts";
import { type TemporaryFiles, temporaryFiles } from "./temporary-files.ts";

interface UserInfo {
  readonly username: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}
type SelfSubjectReview = KubeObject<never, { readonly userInfo: UserInfo }>;
type TokenRequest = KubeObject<unknown, { readonly token: string }>;

describe("who the client is to a real API server", () => {
  let kubernetes: Kubernetes;
  let namespace: TestNamespace;
  let files: TemporaryFiles;
  let token: string;
  let serviceAccount: string;

  before(async () => {
    kubernetes = await startKubernetes();
    namespace = await kubernetes.createNamespace("identity");
    files = await temporaryFiles();
    serviceAccount = `system:serviceaccount:${namespace.name}:tern`;
    token = await requestToken("tern");
  });
  after(async () => {
    await files[Symbol.asyncDispose]();
    await namespace[Symbol.asyncDispose]();
    await kubernetes[Symbol.asyncDispose]();
  });

  async function requestToken(name: string): Promise<string> {
    await using admin = createClient(await loadConfig({ path: kubernetes.kubeconfig }));
    const accounts = admin.resource(serviceAccounts);
    const metadata = { name, namespace: namespace.name };
    await accounts.create({ apiVersion: "v1", kind: "ServiceAccount", metadata });
    const request = {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      metadata: {},
      spec: { expirationSeconds: 600 },
    };
    const answer = await accounts.subresource<TokenRequest>("token").create(metadata, request);
    return answer.status?.token ?? "";
  }

  /** The configuration that a kubeconfig with this user gives. */
  async function configOf(user: object, cluster: object = {}): Promise<ClientConfig> {
    const server = {
      server: kubernetes.server,
      "certificate-authority-data": base64(kubernetes.ca),
      ...cluster,
    };
    await files.write("kubeconfig", {
      "current-context": "c",
      contexts: [{ name: "c", context: { cluster: "k", user: "u", namespace: namespace.name } }],
      clusters: [{ name: "k", cluster: server }],
      users: [{ name: "u", user }],
    });
    return loadConfig({ path: files.path("kubeconfig"), env: {} });
  }

  async function whoIs(config: ClientConfig, options: TransportOptions = {}): Promise<UserInfo> {
    await using client = createClient(config, options);
    return await ask(client);
  }

  async function ask(client: ReturnType<typeof createClient>): Promise<UserInfo> {
    const review = await client.resource<SelfSubjectReview>(selfSubjectReviews).create({
      apiVersion: "authentication.k8s.io/v1",
      kind: "SelfSubjectReview",
      metadata: {},
    });
    assert(review.status);
    return review.status.userInfo;
  }

  /** A plugin that a file's content decides about. */
  async function plugin(status: object): Promise<object> {
    const apiVersion = "client.authentication.k8s.io/v1";
    await files.write("credential", { apiVersion, kind: "ExecCredential", status });
    const script = `console.log(require("node:fs").readFileSync(${JSON.stringify(files.path("credential"))}, "utf8"))`;
    const args = ["-e", script];
    return { apiVersion, command: process.execPath, args, interactiveMode: "Never" };
  }

  const certificateOf = async (name: string) => {
    const { certificate, key } = await kubernetes.user({ name, groups: ["seabirds"] });
    return { "client-certificate-data": base64(certificate), "client-key-data": base64(key) };
  };

  test("somebody by a client certificate, and no more than that", async () => {
    const config = await configOf(await certificateOf("tern"));
    const { username, groups } = await whoIs(config);
    assert.equal(username, "tern");
    assert.deepEqual(groups, ["seabirds", "system:authenticated"]);
    await using client = createClient(config);
    await assert.rejects(client.resource(configMaps).list(), isForbidden);
  });

  test("a service account by a token", async () => {
    assert.equal((await whoIs(await configOf({ token }))).username, serviceAccount);
  });

  test("nobody by a wrong token", async () => {
    await assert.rejects(whoIs(await configOf({ token: "wrong" })), isUnauthorized);
  });

  test("a service account by a file, which is read again when its token is refused", async () => {
    await files.write("token", "stale");
    await using client = createClient(await configOf({ tokenFile: "token" }));
    await assert.rejects(ask(client), isUnauthorized);
    await files.write("token", token);
    assert.equal((await ask(client)).username, serviceAccount);
  });

  test("a service account in a pod", async () => {
    const { hostname, port } = new URL(kubernetes.server);
    await files.write("pod/token", token);
    await files.write("pod/ca.crt", kubernetes.ca);
    await files.write("pod/namespace", namespace.name);
    const config = await loadConfig({
      env: { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port },
      serviceAccountFolder: files.path("pod"),
    });
    assert.equal(config.namespace, namespace.name);
    assert.equal((await whoIs(config)).username, serviceAccount);
  });

  test("whoever a plugin says, by token or by certificate", async () => {
    const byToken = await configOf({ exec: await plugin({ token }) });
    assert.equal((await whoIs(byToken)).username, serviceAccount);

    const { certificate, key } = await kubernetes.user({ name: "puffin" });
    const pair = { clientCertificateData: certificate, clientKeyData: key };
    const byCertificate = await configOf({ exec: await plugin(pair) });
    assert.equal((await whoIs(byCertificate)).username, "puffin");
  });

  test("whoever a plugin says when the server refuses what it said before", async () => {
    const config = await configOf({ exec: await plugin({ token: "stale" }) });
    await using client = createClient(config);
    await assert.rejects(ask(client), isUnauthorized);
    await plugin({ token });
    assert.equal((await ask(client)).username, serviceAccount);
  });

  test("somebody else when the files of its certificate are renewed", async () => {
    const write = async (name: string) => {
      const { certificate, key } = await kubernetes.user({ name });
      await files.write("tls.crt", certificate);
      await files.write("tls.key", key);
    };
    await write("before");
    const time = new FakeTime();
    const user = { "client-certificate": "tls.crt", "client-key": "tls.key" };
    await using client = createClient(await configOf(user), { timekeeper: time });
    assert.equal((await ask(client)).username, "before");
    await write("after");
    assert.equal((await ask(client)).username, "before");
    await time.pass(60_000);
    assert.equal((await ask(client)).username, "after");
  });

  for (const allowH2 of [false, true]) {
    test(`whom it acts as, by ${allowH2 ? "HTTP/2" : "HTTP/1.1"}`, async () => {
      const admin = {
        "client-certificate-data": base64(kubernetes.admin.certificate),
        "client-key-data": base64(kubernetes.admin.key),
      };
      const config = await configOf({
        ...admin,
        as: "jane",
        "as-uid": "7",
        "as-groups": ["waders", "with, comma"],
        "as-user-extra": { "example.org/scopes": ["a", "b"] },
      });
      const { username, uid, groups, extra } = await whoIs(config, { allowH2 });
      assert.equal(username, "jane");
      assert.equal(uid, "7");
      assert.deepEqual(groups, ["waders", "with, comma", "system:authenticated"]);
      assert.deepEqual(extra, { "example.org/scopes": ["a", "b"] });
    });
  }

  test("checks the server: its authority, its name, or nothing where told so", async () => {
    const credentials = await certificateOf("tern");
    const unknown = await configOf(credentials, { "certificate-authority-data": "" });
    await assert.rejects(whoIs(unknown), /could not POST .*: .*certificate/);
    const misnamed = await configOf(credentials, { "tls-server-name": "elsewhere" });
    await assert.rejects(whoIs(misnamed), /elsewhere/);
    const named = await configOf(credentials, { "tls-server-name": "kubernetes.default.svc" });
    assert.equal((await whoIs(named)).username, "tern");
    const insecure = { "certificate-authority-data": "", "insecure-skip-tls-verify": true };
    assert.equal((await whoIs(await configOf(credentials, insecure))).username, "tern");
  });

  test("goes by a proxy where told so", async () => {
    const targets: (string | undefined)[] = [];
    const proxy = createServer().on("connect", (request, socket) => {
      targets.push(request.url);
      const { hostname, port } = new URL(`http://${request.url}`);
      const server = connect(Number(port), hostname, () => {
        socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
        server.pipe(socket).pipe(server);
      });
      server.on("error", () => socket.destroy());
      socket.on("error", () => server.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = proxy.address() as AddressInfo;
      const cluster = { "proxy-url": `http://127.0.0.1:${port}` };
      const config = await configOf(await certificateOf("tern"), cluster);
      assert.equal((await whoIs(config)).username, "tern");
      assert.deepEqual(targets, [new URL(kubernetes.server).host]);
    } finally {
      proxy.close();
      proxy.closeAllConnections();
    }
  });
});
