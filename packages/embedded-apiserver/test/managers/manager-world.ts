import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createCertificateAuthority } from "@rookery/pki";
import {
  type Child,
  createTemporaryFolder,
  freePort,
  type Kubernetes,
  startChild,
  type TestNamespace,
  waitFor,
} from "@rookery/testing";
import { parseAllDocuments } from "yaml";

/** The app that is also led through the proxy: what it is and what it publishes is the proxy's to say. */
const app = new URL("../../../proxy/test/", import.meta.url);

export const managerModule = new URL("go/aviary", app).pathname;
export const group = "aviary.example.com";

const host = "127.0.0.1";
const unused = ["Namespace", "ServiceAccount", "Deployment", "Service"];

interface Document {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** Two managers of one app on a Kubernetes, of which one leads; the other one serves its webhooks. */
export class ManagerWorld implements AsyncDisposable {
  readonly kubernetes: Kubernetes;
  readonly namespace: TestNamespace;
  readonly #program: string;
  readonly #folder: string;
  readonly #kubeconfig: string;
  readonly #stack: AsyncDisposableStack;

  private constructor(
    parts: Pick<ManagerWorld, "kubernetes" | "namespace">,
    own: { program: string; folder: string; kubeconfig: string; stack: AsyncDisposableStack },
  ) {
    this.kubernetes = parts.kubernetes;
    this.namespace = parts.namespace;
    this.#program = own.program;
    this.#folder = own.folder;
    this.#kubeconfig = own.kubeconfig;
    this.#stack = own.stack;
  }

  static async start(kubernetes: Kubernetes, program: string): Promise<ManagerWorld> {
    await using stack = new AsyncDisposableStack();
    const folder = stack.use(await createTemporaryFolder("managers")).path;
    const namespace = stack.use(await kubernetes.createNamespace("managers"));
    const { kubeconfig } = await kubernetes.user({ name: `aviary:${namespace.name}` });
    const parts = { kubernetes, namespace };
    return new ManagerWorld(parts, { program, folder, kubeconfig, stack: stack.move() });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }

  /** Begins a manager and waits until it is ready, which one that does not lead is too. */
  async startManager(identity: string, webhookPort: number): Promise<Child> {
    const health = `${host}:${await freePort(host)}`;
    const child = this.#stack.use(
      await startChild({
        name: `the manager ${identity}`,
        command: this.#program,
        args: [
          ...[`--kubeconfig=${this.#kubeconfig}`, `--identity=${identity}`],
          ...[`--leader-election-namespace=${this.namespace.name}`, `--health-addr=${health}`],
          ...[`--webhook-host=${host}`, `--webhook-port=${webhookPort}`],
          `--cert-dir=${join(this.#folder, "certificates")}`,
        ],
        log: join(this.#folder, `${identity}.log`),
      }),
    );
    const isReady = async () => {
      child.assertRunning();
      return (await fetch(`http://${health}/readyz`)).status === 200;
    };
    await waitFor(isReady, { what: `${child.name} to be ready`, timeout: 120_000 });
    return child;
  }

  /** Applies what the app publishes, with webhooks at a port of this machine. */
  async install(webhookPort: number): Promise<void> {
    const ca = await this.#writeCertificate();
    const documents = await this.#documents({ url: `https://${host}:${webhookPort}`, ca });
    const stdin = JSON.stringify({ apiVersion: "v1", kind: "List", items: documents });
    this.#stack.defer(async () => {
      const gone = ["delete", "--ignore-not-found", "--wait=false", "--filename=-"];
      await this.kubernetes.kubectl(gone, { stdin });
    });
    await this.kubernetes.kubectl(["apply", "--server-side", "--filename=-"], { stdin });
  }

  async #documents(hooks: { url: string; ca: string }): Promise<readonly Document[]> {
    const text = await readFile(new URL("inject-app.yaml", app), "utf8");
    const published = parseAllDocuments(text).map((document) => document.toJS() as Document);
    const wanted = published.filter(({ kind }) => !unused.includes(kind));
    const { name } = this.namespace;
    const placed = JSON.stringify(wanted).replaceAll("aviary-system", name);
    const caBundle = Buffer.from(hooks.ca).toString("base64");
    const subjects = [
      { apiGroup: "rbac.authorization.k8s.io", kind: "User", name: `aviary:${name}` },
    ];
    return JSON.parse(placed, (key, value) => {
      if (key === "subjects") return subjects;
      if (key !== "clientConfig") return value;
      return { url: `${hooks.url}${value.service.path}`, caBundle };
    });
  }

  async #writeCertificate(): Promise<string> {
    const authority = await createCertificateAuthority({ commonName: "aviary" });
    const names = { commonName: "aviary", ipAddresses: [host] };
    const { certificate, key } = await authority.issue({ ...names, usages: ["server"] });
    const folder = join(this.#folder, "certificates");
    await mkdir(folder);
    await writeFile(join(folder, "tls.crt"), certificate);
    await writeFile(join(folder, "tls.key"), key, { mode: 0o600 });
    return authority.certificate;
  }
}
