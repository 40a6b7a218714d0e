import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createCertificateAuthority } from "@rookery/pki";
import type { WebhookConfiguration } from "@rookery/runtime";
import {
  type Child,
  createTemporaryFolder,
  freePort,
  installAccess,
  type Kubernetes,
  startChild,
  waitFor,
} from "@rookery/testing";
import { names } from "../src/install/names.ts";

const run = promisify(execFile);
const program = join(import.meta.dirname, "..", "src", "main.ts");

interface Manifest {
  readonly kind: string;
}

/** The provider's manager as a process, with the account and the roles that its manifests contain. */
export class RunningProvider implements AsyncDisposable {
  readonly #kubernetes: Kubernetes;
  readonly #stack: AsyncDisposableStack;
  readonly #folder: string;
  readonly #port: number;
  readonly #kubeconfig: string;
  #child: Child | undefined;

  /** Installs the manifests that the program prints, and starts the manager. */
  static async install(kubernetes: Kubernetes): Promise<RunningProvider> {
    await using stack = new AsyncDisposableStack();
    const folder = stack.use(await createTemporaryFolder("example-provider")).path;
    const image = "example.com/host-provider:v0.1.0";
    const { stdout } = await run(process.execPath, [program, "manifests", image]);
    const objects = JSON.parse(stdout).items as readonly Manifest[];
    const definitions = objects.filter(({ kind }) => kind === "CustomResourceDefinition");
    for (const definition of definitions) await kubernetes.applyCrd(definition as never);
    await installAccess(kubernetes, objects);
    const account = { namespace: names.namespace, name: names.manager };
    const { kubeconfig } = await kubernetes.serviceAccount(account);
    const port = await freePort("127.0.0.1");
    const authority = await writeCertificate(folder);
    const provider = new RunningProvider(kubernetes, { folder, port, kubeconfig }, stack.move());
    await provider.start();
    // There is no network here by which an API server reaches the Service: the webhooks are called at loopback.
    const webhooks = objects.find(({ kind }) => kind.startsWith("Validating"));
    const called = calledAt(webhooks as WebhookConfiguration, port, authority);
    await kubernetes.kubectl(["apply", "-f", "-"], { stdin: JSON.stringify(called) });
    return provider;
  }

  private constructor(
    kubernetes: Kubernetes,
    { folder, port, kubeconfig }: { folder: string; port: number; kubeconfig: string },
    stack: AsyncDisposableStack,
  ) {
    this.#kubernetes = kubernetes;
    this.#folder = folder;
    this.#port = port;
    this.#kubeconfig = kubeconfig;
    this.#stack = stack;
  }

  /** Starts the manager, and waits until it is ready. */
  async start(): Promise<void> {
    const health = `127.0.0.1:${await freePort("127.0.0.1")}`;
    const child = await this.spawn(health);
    await waitFor(
      async () => {
        child.assertRunning();
        return (await fetch(`http://${health}/readyz`)).ok;
      },
      { what: "the manager to be ready", timeout: 60_000 },
    );
  }

  /** Starts the manager without waiting for it. */
  async spawn(health = "0"): Promise<Child> {
    this.#child = await startChild({
      name: "example provider",
      command: process.execPath,
      args: [
        program,
        "manager",
        `--kubeconfig=${this.#kubeconfig}`,
        "--metrics-bind-address=0",
        `--health-addr=${health}`,
        `--webhook-port=${this.#port}`,
        `--webhook-cert-dir=${this.#folder}`,
      ],
      env: { ...process.env, POD_NAMESPACE: names.namespace },
      log: join(this.#kubernetes.logs, "example-provider.log"),
    });
    return this.#child;
  }

  /** Ends the manager without the chance to finish anything. */
  async kill(): Promise<void> {
    await this.#child?.kill();
  }

  /** The errors in its log, without those of probes while it starts. */
  async errors(): Promise<string[]> {
    const text = await readFile(this.#child?.log ?? "", "utf8");
    const lines = text.split("\n").filter((line) => line.includes('"level":"error"'));
    return lines.filter((line) => !line.includes("Health check failed"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child?.stop();
    await this.#stack.disposeAsync();
  }
}

/** Writes a certificate for loopback as a mounted Secret would have it; returns its authority. */
async function writeCertificate(folder: string): Promise<string> {
  const authority = await createCertificateAuthority({ commonName: "webhooks" });
  const { certificate, key } = await authority.issue({
    commonName: "webhooks",
    ipAddresses: ["127.0.0.1"],
    usages: ["server"],
  });
  await writeFile(join(folder, "tls.crt"), certificate);
  await writeFile(join(folder, "tls.key"), key, { mode: 0o600 });
  return authority.certificate;
}

function calledAt(configuration: WebhookConfiguration, port: number, authority: string): object {
  const webhooks = (configuration.webhooks ?? []).map((webhook) => {
    const { service } = webhook.clientConfig as { readonly service?: { readonly path?: string } };
    const url = `https://127.0.0.1:${port}${service?.path}`;
    const caBundle = Buffer.from(authority).toString("base64");
    return { ...webhook, clientConfig: { url, caBundle } };
  });
  return { ...configuration, webhooks };
}
