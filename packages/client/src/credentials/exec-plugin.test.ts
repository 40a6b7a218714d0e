import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { base64, clientCertificate } from "../../test/certificates.ts";
import { FakeTime } from "../../test/fake-time.ts";
import { type TemporaryFiles, temporaryFiles } from "../../test/temporary-files.ts";
import { CredentialError } from "../errors.ts";
import type { ClientConfig, ExecConfig } from "../kubeconfig/client-config.ts";
import { ExecPlugin } from "./exec-plugin.ts";

const apiVersion = "client.authentication.k8s.io/v1";
const secret = "do-not-tell";

function printing(status: object | undefined, more: object = {}): string {
  const credential = { apiVersion, kind: "ExecCredential", status, ...more };
  return `console.log(${JSON.stringify(JSON.stringify(credential))})`;
}

interface TestPlugin extends AsyncDisposable {
  readonly files: TemporaryFiles;
  readonly plugin: ExecPlugin;
  readonly time: FakeTime;
  /** How often it ran. */
  runs(): Promise<number>;
}

interface PluginParts {
  readonly exec?: Partial<ExecConfig>;
  readonly config?: Partial<ClientConfig>;
  readonly isTerminal?: () => boolean;
}

/** A plugin whose script is run by Node; each run leaves a mark. */
async function testPlugin(script: string, parts: PluginParts = {}): Promise<TestPlugin> {
  const files = await temporaryFiles({ runs: "" });
  const mark = `require("node:fs").appendFileSync(${JSON.stringify(files.path("runs"))}, ".");`;
  await files.write("plugin.cjs", `${mark}${script}`);
  const time = new FakeTime();
  const exec: ExecConfig = {
    apiVersion,
    command: process.execPath,
    args: [files.path("plugin.cjs"), "one", "two"],
    env: {},
    interactiveMode: "Never",
    provideClusterInfo: false,
    ...parts.exec,
  };
  const config: ClientConfig = {
    server: "https://10.0.0.1:6443",
    namespace: "default",
    user: { exec },
    place: { user: "u", file: "/kubeconfig" },
    ...parts.config,
  };
  const options = { exec, config, timekeeper: time };
  const plugin = new ExecPlugin(
    parts.isTerminal ? { ...options, isTerminal: parts.isTerminal } : options,
  );
  return {
    files,
    plugin,
    time,
    runs: async () => (await readFile(files.path("runs"), "utf8")).length,
    [Symbol.asyncDispose]: () => files[Symbol.asyncDispose](),
  };
}

describe("an exec plugin", () => {
  it("gives a token, by one run for all who ask at the same time", async () => {
    await using test = await testPlugin(printing({ token: "t" }));
    const all = await Promise.all([test.plugin.get(), test.plugin.get(), test.plugin.get()]);
    assert.deepEqual(all[0], { authorization: "Bearer t" });
    assert.equal(all[1], all[0]);
    await test.plugin.get();
    assert.equal(await test.runs(), 1);
  });

  it("is run again when its credential has expired, not earlier", async () => {
    const expirationTimestamp = "2030-01-01T00:10:00Z";
    await using test = await testPlugin(printing({ token: "t", expirationTimestamp }));
    await test.plugin.get();
    await test.time.pass(600_000);
    await test.plugin.get();
    assert.equal(await test.runs(), 1);
    await test.time.pass(1);
    await test.plugin.get();
    assert.equal(await test.runs(), 2);
  });

  it("is run again when its credential was refused, unless there is a newer one", async () => {
    await using test = await testPlugin(printing({ token: "t" }));
    const first = await test.plugin.get();
    const [second, same] = await Promise.all([test.plugin.renew(first), test.plugin.renew(first)]);
    assert.notEqual(second, first);
    assert.equal(same, second);
    assert.equal(await test.plugin.renew(first), second);
    assert.equal(await test.runs(), 2);
  });

  it("gives a client certificate", async () => {
    const { cert, key } = await clientCertificate("tern");
    const status = { clientCertificateData: cert, clientKeyData: key };
    await using test = await testPlugin(printing(status));
    assert.deepEqual(await test.plugin.get(), { certificate: { cert, key } });
  });

  it("gets its arguments, its variables over ours, and what is asked of it", async () => {
    const script = `console.log(JSON.stringify({
      apiVersion: "${apiVersion}", kind: "ExecCredential", status: { token: [
        process.argv.slice(2), process.env.A, process.env.PATH !== undefined,
        JSON.parse(process.env.KUBERNETES_EXEC_INFO),
      ].map((part) => JSON.stringify(part)).join(" ") } }))`;
    await using test = await testPlugin(script, { exec: { env: { A: "1" } } });
    const info = { kind: "ExecCredential", apiVersion, spec: { interactive: false } };
    assert.deepEqual(await test.plugin.get(), {
      authorization: `Bearer ["one","two"] "1" true ${JSON.stringify(info)}`,
    });
  });

  it("is told about the cluster where it wants that", async () => {
    const script = `console.log(JSON.stringify({ apiVersion: "${apiVersion}", kind: "ExecCredential",
      status: { token: JSON.stringify(JSON.parse(process.env.KUBERNETES_EXEC_INFO).spec.cluster) } }))`;
    const config = {
      certificateAuthority: { pem: "CA" },
      tlsServerName: "name",
      proxyUrl: "http://proxy",
      execExtension: { audience: "x" },
    };
    await using test = await testPlugin(script, { exec: { provideClusterInfo: true }, config });
    const { authorization = "" } = await test.plugin.get();
    assert.deepEqual(JSON.parse(authorization.slice("Bearer ".length)), {
      server: "https://10.0.0.1:6443",
      "tls-server-name": "name",
      "certificate-authority-data": base64("CA"),
      "proxy-url": "http://proxy",
      config: { audience: "x" },
    });
  });

  describe("that asks somebody", () => {
    const script = `console.log(JSON.stringify({ apiVersion: "${apiVersion}", kind: "ExecCredential",
      status: { token: process.env.KUBERNETES_EXEC_INFO } }))`;
    const rows: Record<
      string,
      [ExecConfig["interactiveMode"], terminal: boolean, boolean | RegExp]
    > = {
      "never, does not": ["Never", true, false],
      "if it can, does at a terminal": ["IfAvailable", true, true],
      "if it can, does not elsewhere": ["IfAvailable", false, false],
      "always, does at a terminal": ["Always", true, true],
      "always, fails elsewhere": ["Always", false, /standard input is not a terminal/],
    };
    for (const [name, [interactiveMode, terminal, expected]] of Object.entries(rows)) {
      it(name, async () => {
        const exec = { interactiveMode };
        await using test = await testPlugin(script, { exec, isTerminal: () => terminal });
        const asked = async () => (await test.plugin.get()).authorization ?? "";
        if (expected instanceof RegExp) await assert.rejects(asked, expected);
        else assert.match(await asked(), new RegExp(`"interactive":${expected}`));
      });
    }
  });

  describe("that fails says why, and nothing of what it printed", () => {
    const rows: Record<string, [script: string, message: RegExp]> = {
      "an exit code": ["process.exit(3)", /ended with exit code 3$/],
      "a signal": ["process.kill(process.pid, 'SIGKILL')", /ended with signal SIGKILL$/],
      "no JSON": [`console.log("${secret}")`, /it printed no JSON object$/],
      "another version": [
        printing({ token: secret }, { apiVersion: "client.authentication.k8s.io/v1beta1" }),
        /it printed \S+v1beta1 ExecCredential where \S+\/v1 ExecCredential is configured$/,
      ],
      "no status": [printing(undefined), /it printed no status$/],
      "an empty status": [printing({}), /it gave neither a token nor a certificate$/],
      "a key only": [printing({ clientKeyData: secret }), /only a certificate or only a key/],
      "a key that is none": [
        printing({ clientCertificateData: "x", clientKeyData: secret }),
        /its certificate and key cannot be used/,
      ],
      "a token that is no text": [printing({ token: 1 }), /its status\.token is not text$/],
      "a time that is none": [
        printing({ token: secret, expirationTimestamp: "soon" }),
        /could not parse time "soon"/,
      ],
      "more than anybody wants": [
        `process.stdout.write("x".repeat(5 << 20)); setTimeout(() => {}, 60000)`,
        /ended with signal SIGTERM$/,
      ],
    };
    for (const [name, [script, message]] of Object.entries(rows)) {
      it(name, async () => {
        await using test = await testPlugin(script);
        await assert.rejects(
          async () => test.plugin.get(),
          (error) => {
            assert(error instanceof CredentialError);
            assert.match(error.message, message);
            assert.match(
              error.message,
              /the exec plugin \S+ of user "u" in kubeconfig \/kubeconfig/,
            );
            assert(!`${error.stack} ${(error.cause as Error).stack}`.includes(secret));
            return true;
          },
        );
      });
    }
  });

  it("that is not installed says how to install it, without codes for the terminal", async () => {
    const exec = { command: "no-such-plugin", installHint: "run\n\u001b[1mapt install\u0007" };
    await using test = await testPlugin("", { exec });
    await assert.rejects(
      async () => test.plugin.get(),
      /no-such-plugin is not found; .*\n\nrun\nU\+001B\[1mapt installU\+0007$/,
    );
  });

  it("can be tried again after it failed", async () => {
    const script = `if (require("node:fs").readFileSync(__dirname + "/runs").length === 1) process.exit(1);`;
    await using test = await testPlugin(script + printing({ token: "t" }));
    await assert.rejects(async () => test.plugin.get(), /exit code 1/);
    assert.deepEqual(await test.plugin.get(), { authorization: "Bearer t" });
  });

  it("ends with its client", async () => {
    await using test = await testPlugin("setTimeout(() => {}, 60000)");
    const asked = Promise.resolve(test.plugin.get());
    test.plugin.close();
    await assert.rejects(asked, /the client is closed/);
    await assert.rejects(async () => test.plugin.get(), /the client is closed/);
  });
});
