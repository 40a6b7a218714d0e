import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { base64, caCertificate, clientCertificate } from "../../test/certificates.ts";
import { type TemporaryFiles, temporaryFiles } from "../../test/temporary-files.ts";
import { ConfigError } from "../errors.ts";
import { type LoadOptions, loadConfig } from "./load-config.ts";

const secret = "do-not-tell";

interface Entries {
  readonly cluster?: object;
  readonly user?: object;
  readonly context?: object;
  readonly more?: object;
}

/** A kubeconfig whose only context is "c", its only cluster "k", its only user "u". */
function kubeconfig({ cluster, user, context, more }: Entries = {}) {
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "k", user: "u", ...context } }],
    clusters: [{ name: "k", cluster: { server: "https://10.0.0.1:6443", ...cluster } }],
    users: [{ name: "u", user: { token: secret, ...user } }],
    ...more,
  };
}

describe("loadConfig", () => {
  let files: TemporaryFiles;
  let load: (name: string, options?: LoadOptions) => ReturnType<typeof loadConfig>;
  before(async () => {
    files = await temporaryFiles();
    load = (name, options = {}) => loadConfig({ path: files.path(name), env: {}, ...options });
  });
  after(() => files[Symbol.asyncDispose]());

  it("reads what a cluster, a user and a context say", async () => {
    const ca = await caCertificate();
    const { cert, key } = await clientCertificate("tern");
    await files.write(
      "full",
      kubeconfig({
        cluster: {
          "certificate-authority-data": base64(ca),
          "tls-server-name": "kubernetes",
          "proxy-url": "socks5://proxy:1080",
          "disable-compression": true,
          server: "https://rancher.example/k8s/clusters/c-1/",
        },
        user: {
          token: "",
          "client-certificate-data": base64(cert),
          "client-key-data": base64(key),
          as: "jane",
          "as-uid": "7",
          "as-groups": ["a", "b"],
          "as-user-extra": { scopes: ["x", "y"] },
        },
        context: { namespace: "nest" },
      }),
    );
    assert.deepEqual(await load("full"), {
      server: "https://rancher.example/k8s/clusters/c-1",
      certificateAuthority: { pem: ca },
      tlsServerName: "kubernetes",
      proxyUrl: "socks5://proxy:1080",
      disableCompression: true,
      namespace: "nest",
      user: {
        certificate: { cert: { pem: cert }, key: { pem: key } },
        impersonate: { user: "jane", uid: "7", groups: ["a", "b"], extra: { scopes: ["x", "y"] } },
      },
      place: { file: files.path("full"), context: "c", cluster: "k", user: "u" },
    });
  });

  it("reads YAML, with anchors and merge keys", async () => {
    const text = `
      current-context: c
      clusters:
      - name: base
        cluster: &base {tls-server-name: b, server: "https://a:1"}
      - name: k
        cluster: {<<: *base, server: "https://a:2"}
      contexts: [{name: c, context: {cluster: k, user: u}}]
      users: [{name: u, user: {token: abc}}]`;
    await files.write("yaml", text);
    const config = await load("yaml");
    assert.equal(config.server, "https://a:2");
    assert.equal(config.tlsServerName, "b");
  });

  it("reads files that it names relative to its own folder, and remembers them", async () => {
    const { cert, key } = await clientCertificate("tern");
    await files.write("sub/ca.crt", await caCertificate());
    await files.write("sub/tls.crt", cert);
    await files.write("sub/tls.key", key);
    await files.write("sub/token", secret);
    await files.write(
      "relative",
      kubeconfig({
        cluster: { "certificate-authority": "sub/ca.crt" },
        user: {
          token: "",
          tokenFile: "sub/token",
          "client-certificate": "sub/tls.crt",
          "client-key": files.path("sub/tls.key"),
        },
      }),
    );
    const config = await load("relative");
    assert.equal(config.certificateAuthority?.file, files.path("sub/ca.crt"));
    assert.equal(config.user.certificate?.cert.file, files.path("sub/tls.crt"));
    assert.equal(config.user.certificate?.key.file, files.path("sub/tls.key"));
    assert.equal(config.user.tokenFile, files.path("sub/token"));
  });

  it("takes the data where there is a file as well, as client-go does", async () => {
    const ca = await caCertificate();
    const cluster = { "certificate-authority": "gone", "certificate-authority-data": base64(ca) };
    await files.write("both", kubeconfig({ cluster }));
    assert.deepEqual((await load("both")).certificateAuthority, { pem: ca });
  });

  it("takes another context by name", async () => {
    const contexts = [
      { name: "c", context: { cluster: "k", user: "u" } },
      { name: "other", context: { cluster: "k", user: "u", namespace: "o" } },
    ];
    await files.write("two", kubeconfig({ more: { contexts } }));
    assert.equal((await load("two")).namespace, "default");
    assert.equal((await load("two", { context: "other" })).namespace, "o");
  });

  it("takes a proxy from the environment where the cluster names none", async () => {
    await files.write("plain", kubeconfig());
    const env = { HTTPS_PROXY: "http://proxy:3128" };
    assert.equal((await load("plain", { env })).proxyUrl, "http://proxy:3128");
  });

  it("takes a server without scheme for https where it speaks of TLS, else for http", async () => {
    await files.write("bare", kubeconfig({ cluster: { server: "localhost:8080" } }));
    assert.equal((await load("bare")).server, "http://localhost:8080");
    const cluster = { server: "localhost:8080", "insecure-skip-tls-verify": true };
    await files.write("tls", kubeconfig({ cluster }));
    assert.equal((await load("tls")).server, "https://localhost:8080");
  });

  it("reads an exec plugin; a path is resolved, a bare name is not", async () => {
    const exec = {
      apiVersion: "client.authentication.k8s.io/v1beta1",
      command: "./bin/login",
      args: ["get"],
      env: [{ name: "A", value: "1" }],
      installHint: "install it",
      provideClusterInfo: true,
    };
    const extension = { audience: "x" };
    const cluster = { extensions: [{ name: "client.authentication.k8s.io/exec", extension }] };
    await files.write("exec", kubeconfig({ cluster, user: { token: "", exec } }));
    const config = await load("exec");
    assert.deepEqual(config.execExtension, extension);
    assert.deepEqual(config.user.exec, {
      apiVersion: "client.authentication.k8s.io/v1beta1",
      command: files.path("bin/login"),
      args: ["get"],
      env: { A: "1" },
      installHint: "install it",
      provideClusterInfo: true,
      interactiveMode: "IfAvailable",
    });
    await files.write("name", kubeconfig({ user: { exec: { ...exec, command: "login" } } }));
    assert.equal((await load("name")).user.exec?.command, "login");
  });

  describe("refuses", () => {
    const exec = { apiVersion: "client.authentication.k8s.io/v1", command: "x" };
    const rows: Record<string, [content: string | object, message: RegExp]> = {
      "what is not YAML, and tells the place but not the text": [
        `users: [\n  token: ${secret}: @`,
        /could not use kubeconfig \S+: it is not YAML: [A-Z_]+ at line 2, column \d+$/,
      ],
      "an alias to nothing": ["users: *nothing", /it is not YAML/],
      "another kind": [{ kind: "Pod", apiVersion: "v1" }, /it is v1 Pod, not v1 Config/],
      "a list where an entry must be": [
        { ...kubeconfig(), users: [[]] },
        /field users\[0\] in kubeconfig \S+: it must be a mapping/,
      ],
      "a name that is there twice": [
        kubeconfig({ more: { users: [{ name: "u" }, { name: "u" }] } }),
        /field users\[1\]\.name in kubeconfig \S+: "u" is there twice/,
      ],
      "no current context": [
        kubeconfig({ more: { "current-context": "" } }),
        /field current-context in kubeconfig \S+: name one, .*; it has "c"/,
      ],
      "a context that is not there": [
        kubeconfig({ more: { "current-context": "d" } }),
        /context "d" in kubeconfig \S+: there is no such context; it has "c"/,
      ],
      "a user that is not there": [
        kubeconfig({ context: { user: "v" } }),
        /field user of context "c" in kubeconfig \S+: there is no user "v"; the kubeconfig has "u"/,
      ],
      "a context without cluster": [
        kubeconfig({ context: { cluster: "" } }),
        /field cluster of context "c" in kubeconfig \S+: it is missing/,
      ],
      "a namespace that is none": [
        kubeconfig({ context: { namespace: "A_B" } }),
        /field namespace of context "c" .*: "A_B" is not a name of a namespace/,
      ],
      "no server": [
        kubeconfig({ cluster: { server: "" } }),
        /field server of cluster "k" of context "c" in kubeconfig \S+: it is missing/,
      ],
      "a server that is no URL": [
        kubeconfig({ cluster: { server: "ftp://x" } }),
        /field server of cluster "k" .*: it must be a URL such as/,
      ],
      "a password in the server's URL": [
        kubeconfig({ cluster: { server: `https://u:${secret}@x` } }),
        /field server .* it must not hold a user or password/,
      ],
      "a proxy with an unknown scheme": [
        kubeconfig({ cluster: { "proxy-url": "gopher://x" } }),
        /field proxy-url of cluster "k" .* http, https or socks5/,
      ],
      "a CA that is not base64": [
        kubeconfig({ cluster: { "certificate-authority-data": `!${secret}` } }),
        /field certificate-authority-data of cluster "k" .*: it must be base64/,
      ],
      "a CA that is not PEM": [
        kubeconfig({ cluster: { "certificate-authority-data": base64(secret) } }),
        /field certificate-authority-data of cluster "k" .*: it holds no PEM block/,
      ],
      "a CA file that is not there": [
        kubeconfig({ cluster: { "certificate-authority": "gone.crt" } }),
        /field certificate-authority of cluster "k" .*gone\.crt cannot be read: ENOENT/,
      ],
      "a CA beside insecure-skip-tls-verify": [
        kubeconfig({
          cluster: {
            "certificate-authority-data": base64("-----BEGIN X"),
            "insecure-skip-tls-verify": true,
          },
        }),
        /field insecure-skip-tls-verify of cluster "k" .* remove one of them/,
      ],
      "a switch that is a text": [
        kubeconfig({ cluster: { "insecure-skip-tls-verify": "yes" } }),
        /field insecure-skip-tls-verify .*: it must be true or false/,
      ],
      "a token that YAML reads as a number": [
        kubeconfig({ user: { token: 123456 } }),
        /field token of user "u" of context "c" .*: it must be text; put it in quotes/,
      ],
      "a token file that is not there": [
        kubeconfig({ user: { token: "", tokenFile: "gone" } }),
        /field tokenFile of user "u" .*gone cannot be read: ENOENT/,
      ],
      "a token beside a password": [
        kubeconfig({ user: { username: "x", password: secret } }),
        /field token of user "u" .*: there are a username and a password as well/,
      ],
      "a certificate without key": [
        kubeconfig({ user: { "client-certificate-data": base64("-----BEGIN X") } }),
        /field client-key of user "u" .*: it or client-key-data is needed/,
      ],
      "a certificate that cannot be read": [
        kubeconfig({
          user: {
            "client-certificate-data": base64("-----BEGIN X"),
            "client-key-data": base64(`-----BEGIN ${secret}`),
          },
        }),
        /field client-certificate of user "u" .*: the certificate and its key cannot be used/,
      ],
      "an auth provider": [
        kubeconfig({ user: { "auth-provider": { name: "gcp" } } }),
        /field auth-provider of user "u" .*: .* use an exec plugin/,
      ],
      "groups without a user to act as": [
        kubeconfig({ user: { "as-groups": ["x"] } }),
        /field as of user "u" .*: as-uid, as-groups and as-user-extra need a user/,
      ],
      "groups that are no list": [
        kubeconfig({ user: { as: "x", "as-groups": "x" } }),
        /field as-groups of user "u" .*: it must be a list of texts/,
      ],
      "a plugin without command": [
        kubeconfig({ user: { exec: { ...exec, command: "" } } }),
        /field exec\.command of user "u" .*: it is missing/,
      ],
      "a plugin of an unknown version": [
        kubeconfig({
          user: { exec: { ...exec, apiVersion: "client.authentication.k8s.io/v1alpha1" } },
        }),
        /field exec\.apiVersion of user "u" .*v1alpha1 is not supported; it must be/,
      ],
      "a v1 plugin without interactiveMode": [
        kubeconfig({ user: { exec } }),
        /field exec\.interactiveMode of user "u" .*: it is missing; it must be Never, IfAvailable/,
      ],
      "a variable without name": [
        kubeconfig({
          user: { exec: { ...exec, interactiveMode: "Never", env: [{ value: secret }] } },
        }),
        /field exec\.env\[0\]\.name of user "u" .*: it is missing/,
      ],
    };
    for (const [name, [content, message]] of Object.entries(rows)) {
      it(name, async () => {
        await files.write("bad", content);
        await assert.rejects(load("bad"), (error) => {
          assert(error instanceof ConfigError);
          assert.equal(error.code, "InvalidConfig");
          assert.match(error.message, message);
          assert(error.message.includes(files.path("bad")), "it names the file");
          assert(!`${error.stack} ${error.cause}`.includes(secret), "it tells no secret");
          return true;
        });
      });
    }

    it("a certificate and the key of another", async () => {
      const [one, other] = [await clientCertificate("a"), await clientCertificate("b")];
      const user = {
        "client-certificate-data": base64(one.cert),
        "client-key-data": base64(other.key),
      };
      await files.write("bad", kubeconfig({ user }));
      await assert.rejects(load("bad"), /cannot be used together: .*key values mismatch/);
    });

    it("a file that was named but is not there", async () => {
      await assert.rejects(
        load("nowhere"),
        /could not use kubeconfig \S+nowhere: there is no such file/,
      );
    });
  });
});

describe("loadConfig looks in order", () => {
  let files: TemporaryFiles;
  let serviceAccountFolder: string;
  const pod = { KUBERNETES_SERVICE_HOST: "10.96.0.1", KUBERNETES_SERVICE_PORT: "443" };
  before(async () => {
    const server = (port: number) => kubeconfig({ cluster: { server: `https://x:${port}` } });
    files = await temporaryFiles({
      ".kube/config": server(1),
      one: server(2),
      "pod/token": secret,
    });
    serviceAccountFolder = files.path("pod");
  });
  after(() => files[Symbol.asyncDispose]());

  const rows: Record<string, [options: () => LoadOptions, server: string]> = {
    "the file that was named, before all else": [
      () => ({ path: files.path("one"), env: { ...pod, KUBECONFIG: "x" } }),
      "https://x:2",
    ],
    "KUBECONFIG, before the pod": [
      () => ({ env: { ...pod, KUBECONFIG: files.path("one") } }),
      "https://x:2",
    ],
    "the pod, before the home folder": [
      () => ({ env: { ...pod, HOME: files.folder } }),
      "https://10.96.0.1:443",
    ],
    "the pod, where the files of KUBECONFIG are not there": [
      () => ({ env: { ...pod, KUBECONFIG: files.path("gone") } }),
      "https://10.96.0.1:443",
    ],
    "the home folder": [() => ({ env: { HOME: files.folder } }), "https://x:1"],
    "the home folder, where a context is named that a pod does not have": [
      () => ({ context: "c", env: { ...pod, HOME: files.folder } }),
      "https://x:1",
    ],
  };
  for (const [name, [options, server]] of Object.entries(rows)) {
    it(name, async () => {
      const config = await loadConfig({ serviceAccountFolder, ...options() });
      assert.equal(config.server, server);
    });
  }

  it("and tells where it looked", async () => {
    const env = { HOME: files.path("nobody") };
    await assert.rejects(
      loadConfig({ env }),
      /there is no such file: \S+nobody\/\.kube\/config, and this is not a pod; set KUBECONFIG/,
    );
  });

  it("and says what a pod without token lacks", async () => {
    const env = { ...pod, HOME: files.path("nobody") };
    const options = { env, serviceAccountFolder: files.path("empty") };
    await assert.rejects(loadConfig(options), /and this pod has no service account token/);
  });
});

describe("several files in KUBECONFIG", () => {
  it("are merged: the first that has an entry, or a current context, wins", async () => {
    await using files = await temporaryFiles({
      first: {
        contexts: [{ name: "c", context: { cluster: "k", user: "u" } }],
        users: [{ name: "u", user: { username: "first" } }],
      },
      second: kubeconfig({
        cluster: { "tls-server-name": "second" },
        user: { token: "", username: "second", password: "second" },
        context: { namespace: "second" },
      }),
      third: kubeconfig({
        cluster: { "tls-server-name": "third" },
        more: { "current-context": "third" },
      }),
    });
    const names = ["first", "", "gone", "second", "second", "third"];
    const env = { KUBECONFIG: names.map((name) => name && files.path(name)).join(":") };
    const config = await loadConfig({ env });
    assert.equal(config.namespace, "default");
    assert.equal(config.tlsServerName, "second");
    assert.deepEqual(config.user.basic, { username: "first", password: "" });
  });

  it("resolve paths each against its own folder", async () => {
    const ca = await caCertificate();
    await using files = await temporaryFiles({
      "a/config": { ...kubeconfig(), clusters: [] },
      "b/config": kubeconfig({ cluster: { "certificate-authority": "ca.crt" } }),
      "b/ca.crt": ca,
    });
    const env = { KUBECONFIG: `${files.path("a/config")}:${files.path("b/config")}` };
    const config = await loadConfig({ env });
    assert.deepEqual(config.certificateAuthority, { pem: ca, file: files.path("b/ca.crt") });
  });

  it("tell which of them is wrong", async () => {
    await using files = await temporaryFiles({ good: kubeconfig(), bad: "{" });
    const env = { KUBECONFIG: `${files.path("good")}:${files.path("bad")}` };
    await assert.rejects(loadConfig({ env }), /could not use kubeconfig \S+bad: it is not YAML/);
  });
});
