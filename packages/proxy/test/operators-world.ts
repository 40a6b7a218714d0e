import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Child, type Kubernetes, startChild, waitFor } from "@rookery/testing";

/** The command line of Rookery. */
export const rookery = fileURLToPath(new URL("../../cli/src/main.ts", import.meta.url));

/** A service account, as its pods have it. */
export interface Account {
  readonly namespace: string;
  readonly name: string;
}

/** Writes a kubeconfig by which a process is a service account. */
export async function writeAccountKubeconfig(
  kubernetes: Kubernetes,
  { namespace, name }: Account,
  folder: string,
): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  const { status } = (await kubernetes.request("POST", path, { body })).body;
  const tokenFile = join(folder, `${namespace}-token`);
  await writeFile(tokenFile, status.token, { mode: 0o600 });
  const ca = Buffer.from(kubernetes.ca).toString("base64");
  const file = join(folder, `${namespace}-kubeconfig`);
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "k", user: "u", namespace } }],
    clusters: [
      { name: "k", cluster: { server: kubernetes.server, "certificate-authority-data": ca } },
    ],
    users: [{ name: "u", user: { tokenFile } }],
  };
  await writeFile(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}

/** A `rookery proxy` as a process of its own. */
export interface ProxyProcess extends AsyncDisposable {
  readonly child: Child;
  /** By which an app goes through the proxy, as its own account. */
  readonly kubeconfig: string;
  /** Where the API server calls the app's webhooks, and the authority of the certificate there. */
  readonly callbacks: { readonly url: string; readonly ca: string } | undefined;
}

export interface ProxyProcessOptions {
  readonly name: string;
  readonly folder: string;
  /** The kubeconfig of the app's account. */
  readonly upstream: string;
  readonly mapping: string;
  /** Where the app serves its webhooks, if it does. */
  readonly webhooks?: string;
}

export async function startProxyProcess(options: ProxyProcessOptions): Promise<ProxyProcess> {
  const { name, folder, upstream, webhooks } = options;
  const kubeconfig = join(folder, `${name}-app-kubeconfig`);
  const caFile = join(folder, `${name}-callback-ca.crt`);
  const child = await startChild({
    name: `proxy of ${name}`,
    command: process.execPath,
    args: [
      ...[rookery, "proxy", `--upstream=${upstream}`, `--map=${options.mapping}`],
      ...["--identity=app", `--app-kubeconfig-out=${kubeconfig}`, "--metrics-bind-address=0"],
      ...["--bind-address=127.0.0.1:0", "--health-addr=127.0.0.1:0", "--v=4"],
      ...(webhooks ? callbackArgs(webhooks, caFile) : []),
    ],
    log: join(folder, `${name}-proxy.log`),
  });
  await using stack = new AsyncDisposableStack();
  stack.use(child);
  await whenReady(child);
  const callbacks = webhooks && {
    url: (await servedUrl(child, "callback-listener")) ?? "",
    ca: await readFile(caFile, "utf8"),
  };
  const owned = stack.move();
  return {
    child,
    kubeconfig,
    callbacks: callbacks || undefined,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function callbackArgs(webhooks: string, caFile: string): string[] {
  return [
    "--callback-bind-address=127.0.0.1:0",
    `--callback-upstream=${webhooks}`,
    "--callback-upstream-insecure",
    "--callback-name=127.0.0.1",
    `--callback-ca-file-out=${caFile}`,
  ];
}

async function whenReady(child: Child): Promise<void> {
  await waitFor(
    async () => {
      child.assertRunning();
      const url = await servedUrl(child, "health-server");
      return url !== undefined && (await fetch(`${url}/readyz`)).status === 200;
    },
    { what: `${child.name} to be ready`, timeout: 120_000 },
  );
}

/** Where a listener of the proxy is, as its log says. */
async function servedUrl(child: Child, logger: string): Promise<string | undefined> {
  const lines = (await readFile(child.log, "utf8"))
    .split("\n")
    .filter((line) => /^{.*}$/.test(line));
  const entries = lines.map((line) => JSON.parse(line) as Record<string, string>);
  return entries.find((entry) => entry.logger === logger && entry.msg === "Serving")?.url;
}

/** An address of this machine that is this process's own, so that ports on it need not be found. */
export function ownAddress(index: number): string {
  return `127.${100 + index}.${(process.pid >> 8) & 255}.${process.pid & 255}`;
}
