import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createCertificateAuthority } from "@rookery/pki";
import {
  type Child,
  clusterApiManager,
  freePort,
  type Kubernetes,
  startChild,
  waitFor,
} from "@rookery/testing";

const program = fileURLToPath(new URL("../bench/proxy/program.ts", import.meta.url));

export interface InstanceOptions {
  readonly name: string;
  readonly folder: string;
  /** The flags of the proxy that say what the instance sees. */
  readonly scope: readonly string[];
  /** Further flags of the manager. */
  readonly flags?: readonly string[];
}

/** The real core of Cluster API behind a proxy, each a process of its own. */
export interface Instance {
  readonly manager: Child;
  managerLog(): Promise<string>;
  /** Each request is a line. */
  proxyLog(): Promise<string>;
}

export async function startInstance(
  { kubeconfig }: Kubernetes,
  options: InstanceOptions,
  stack: AsyncDisposableStack,
): Promise<Instance> {
  const { name, folder, scope, flags = [] } = options;
  const file = (ending: string) => join(folder, `${name}.${ending}`);
  const proxy = [
    program,
    `--upstream=${kubeconfig}`,
    ...scope,
    "--identity=proxy",
    "--bind-address=127.0.0.1:0",
    "--health-addr=127.0.0.1:0",
    "--metrics-bind-address=0",
    `--app-kubeconfig-out=${file("kubeconfig")}`,
    "--v=4",
  ];
  const log = file("proxy.log");
  stack.use(
    await startChild({ name: `proxy of ${name}`, command: process.execPath, args: proxy, log }),
  );
  await waitFor(() => isReady(log), { what: `the proxy of ${name} to be ready` });
  const manager = stack.use(
    await startChild({
      name,
      // As kubelet does: one that ends, for want of a resource of the machine, begins anew.
      command: "/bin/sh",
      args: [
        "-c",
        'until "$0" "$@"; do sleep 1; done',
        await clusterApiManager(),
        `--kubeconfig=${file("kubeconfig")}`,
        `--webhook-port=${await freePort()}`,
        `--webhook-cert-dir=${await writeCertificate(join(folder, name))}`,
        "--diagnostics-address=0",
        "--health-addr=0",
        "--leader-elect=false",
        ...flags,
      ],
      log: file("manager.log"),
      // The shell and what it has started, together.
      grace: 0,
    }),
  );
  return {
    manager,
    managerLog: () => readFile(manager.log, "utf8"),
    proxyLog: () => readFile(log, "utf8"),
  };
}

async function isReady(log: string): Promise<boolean> {
  const [, url] = /"health-server","url":"([^"]+)"/.exec(await readFile(log, "utf8")) ?? [];
  return url !== undefined && (await fetch(`${url}/readyz`)).status === 200;
}

/** The manager serves webhooks, which nobody calls here. */
async function writeCertificate(folder: string): Promise<string> {
  const authority = await createCertificateAuthority({ commonName: "webhooks" });
  const names = { commonName: "webhooks", dnsNames: ["localhost"] };
  const { certificate, key } = await authority.issue({ ...names, usages: ["server"] });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "tls.crt"), certificate);
  await writeFile(join(folder, "tls.key"), key);
  return folder;
}
