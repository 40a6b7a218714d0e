import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JWTAuthenticatorManifest } from "@rookery/api";
import { type Child, type Kubernetes, startChild, waitFor } from "@rookery/testing";
import { type InstallationOptions, InstalledConcierge } from "./installed-concierge.ts";
import type { OidcIssuer } from "./oidc-issuer.ts";

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what a request answers is known to the test alone
  readonly body: any;
}

const main = fileURLToPath(new URL("../../cli/src/main.ts", import.meta.url));

/** `rookery manager concierge`, installed in a cluster and running beside it as its own process. */
export class RunningConcierge implements AsyncDisposable {
  readonly installed: InstalledConcierge;
  readonly #kubernetes: Kubernetes;
  readonly #child: Child;

  private constructor(kubernetes: Kubernetes, installed: InstalledConcierge, child: Child) {
    this.#kubernetes = kubernetes;
    this.installed = installed;
    this.#child = child;
  }

  static async start(options: InstallationOptions): Promise<RunningConcierge> {
    await using stack = new AsyncDisposableStack();
    const installed = stack.use(await InstalledConcierge.apply(options));
    const child = stack.use(
      await startChild({
        name: `concierge of ${installed.suffix}`,
        command: process.execPath,
        args: [main, ...installed.args, ...localArguments(installed)],
        env: { ...process.env, POD_NAMESPACE: installed.namespace },
        log: join(options.folder, `${installed.namespace}.log`),
        // A busy machine may leave it little time to end in.
        grace: 60_000,
      }),
    );
    const concierge = new RunningConcierge(options.kubernetes, installed, child);
    await installed.connect(await concierge.#port());
    await concierge.#signs();
    stack.move();
    return concierge;
  }

  get log(): Promise<string> {
    return readFile(this.#child.log, "utf8");
  }

  /** What it tells of itself, as Prometheus reads it. */
  async metrics(): Promise<string> {
    const [, url] = /"metrics-server","url":"([^"]+)"/.exec(await this.log) ?? [];
    return (await fetch(`${url}/metrics`)).text();
  }

  group(name: string): string {
    return this.installed.group(name);
  }

  /** Creates a JWTAuthenticator of an issuer, and waits until it is ready. */
  async trust(issuer: OidcIssuer, name: string, audience: string): Promise<void> {
    const group = this.group("authentication");
    const authenticator: Omit<JWTAuthenticatorManifest, "apiVersion"> & { apiVersion: string } = {
      apiVersion: `${group}/v1alpha1`,
      kind: "JWTAuthenticator",
      metadata: { name },
      spec: { issuer: issuer.url, audience, tls: { certificateAuthorityData: issuer.caData } },
    };
    const stdin = JSON.stringify(authenticator);
    // An API server that was just started comes to know its kinds one after another.
    await waitFor(() => this.#kubernetes.kubectl(["apply", "--filename=-"], { stdin }), {
      what: `JWTAuthenticator ${name} of ${this.installed.suffix} to be taken`,
    });
    await this.ready(name);
  }

  async ready(name: string): Promise<void> {
    await waitFor(async () => (await this.authenticator(name)).status?.phase === "Ready", {
      what: `JWTAuthenticator ${name} of ${this.installed.suffix} to be ready`,
      detail: () => `see ${this.#child.log}`,
      timeout: 180_000,
    });
  }

  async authenticator(name: string) {
    const path = `/apis/${this.group("authentication")}/v1alpha1/jwtauthenticators/${name}`;
    return (await this.#kubernetes.request("GET", path)).body;
  }

  /** Trades a token, as someone without any credential. */
  async exchange(
    token: string,
    authenticator: Readonly<Record<string, unknown>> = {},
    query = "",
  ): Promise<Answer> {
    const group = this.group("login");
    const reference = {
      apiGroup: this.group("authentication"),
      kind: "JWTAuthenticator",
      name: "corp",
    };
    return this.#kubernetes.request(
      "POST",
      `/apis/${group}/v1alpha1/tokencredentialrequests${query}`,
      {
        as: "anonymous",
        body: {
          apiVersion: `${group}/v1alpha1`,
          kind: "TokenCredentialRequest",
          metadata: {},
          spec: { token, authenticator: { ...reference, ...authenticator } },
        },
      },
    );
  }

  /** Its first check may come before the API server knows of its rights; the next one is 30 s later. */
  async #signs(): Promise<void> {
    const path = `/apis/${this.group("config")}/v1alpha1/credentialissuers`;
    let last = "";
    await waitFor(
      async () => {
        const { body } = await this.#kubernetes.request("GET", path);
        const [strategy] = body.items[0]?.status?.strategies ?? [];
        last = JSON.stringify(strategy);
        return strategy?.status === "Success";
      },
      { what: "the concierge to sign", timeout: 180_000, detail: () => last },
    );
  }

  async #port(): Promise<number> {
    return waitFor(
      async () => {
        this.#child.assertRunning();
        const [, port] = /"url":"https:\/\/[^"]*:(\d+)"/.exec(await this.log) ?? [];
        return port === undefined ? undefined : Number(port);
      },
      {
        what: "the concierge to listen",
        timeout: 120_000,
        fatal: () => Boolean(this.#child.ending),
      },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child.stop();
    const { ending } = this.#child;
    if (ending !== "exit code 0") throw new Error(`the concierge ended with ${ending}`);
    await this.installed[Symbol.asyncDispose]();
  }
}

function localArguments({ kubeconfig }: InstalledConcierge): string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    "--secure-port=0",
    "--metrics-bind-address=127.0.0.1:0",
    "--health-addr=0",
    "--leader-elect=false",
  ];
}
