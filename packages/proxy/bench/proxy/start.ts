import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createHttpClient, type Handler } from "@rookery/http";
import { createCertificateAuthority } from "@rookery/pki";
import { createTemporaryFolder, startChild, waitFor } from "@rookery/testing";
import { virtualGroup } from "./bodies.ts";

/** Two proxies before one API server, each in a process of its own. */
export interface BenchWorld extends AsyncDisposable {
  readonly renaming: BenchProxy;
  readonly raw: BenchProxy;
}

export interface BenchProxy {
  readonly name: string;
  /** Sends requests to it. */
  readonly handler: Handler;
  /** The processor time that it has taken so far, in milliseconds. */
  cpuMs(): Promise<number>;
}

const upstreamProgram = fileURLToPath(new URL("./upstream.ts", import.meta.url));
const proxyProgram = fileURLToPath(new URL("./program.ts", import.meta.url));

export async function startBenchWorld(): Promise<BenchWorld> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTemporaryFolder("bench")).path;
  const kubeconfig = await startUpstream(folder, stack);
  const mapping = `--api-group-suffix=${virtualGroup.replace(/^[^.]*\./, "")}=team1.example.com`;
  const start = (name: string, ...args: string[]) =>
    startProxy({ name, folder, args: [`--upstream=${kubeconfig}`, ...args] }, stack);
  const raw = await start("raw pass-through");
  const renaming = await start("renaming", mapping);
  const owned = stack.move();
  return { raw, renaming, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function startUpstream(folder: string, stack: AsyncDisposableStack): Promise<string> {
  const authority = await createCertificateAuthority({ commonName: "bench" });
  const names = { commonName: "upstream", ipAddresses: ["127.0.0.1"] };
  const leaf = await authority.issue({ ...names, usages: ["server"] });
  const [cert, key, log] = ["upstream.crt", "upstream.key", "upstream.log"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  await writeFile(cert, leaf.certificate);
  await writeFile(key, leaf.key);
  const args = [upstreamProgram, cert, key];
  stack.use(await startChild({ name: "upstream", command: process.execPath, args, log }));
  const find = async () => /^https:.*$/m.exec(await readFile(log, "utf8"))?.[0];
  const server = await waitFor(find, { what: "the upstream" });
  const ca = Buffer.from(authority.certificate).toString("base64");
  const config = {
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "k", user: "u" } }],
    clusters: [{ name: "k", cluster: { server, "certificate-authority-data": ca } }],
    users: [{ name: "u", user: {} }],
  };
  const kubeconfig = join(folder, "upstream.kubeconfig");
  await writeFile(kubeconfig, JSON.stringify(config));
  return kubeconfig;
}

interface ProxyProcess {
  readonly name: string;
  readonly folder: string;
  readonly args: readonly string[];
}

async function startProxy(
  { name, folder, args }: ProxyProcess,
  stack: AsyncDisposableStack,
): Promise<BenchProxy> {
  const file = (ending: string) => join(folder, `${name}.${ending}`);
  const standard = [
    "--bind-address=127.0.0.1:0",
    "--health-addr=0",
    "--metrics-bind-address=127.0.0.1:0",
    `--ca-file-out=${file("ca.crt")}`,
    `--app-kubeconfig-out=${file("kubeconfig")}`,
  ];
  const words = [proxyProgram, ...standard, ...args];
  const log = file("log");
  stack.use(await startChild({ name, command: process.execPath, args: words, log }));
  const config = await waitFor(async () => JSON.parse(await readFile(file("kubeconfig"), "utf8")), {
    what: `the proxy ${name}`,
  });
  const tls = { ca: await readFile(file("ca.crt"), "utf8") };
  const origin = config.clusters[0].cluster.server;
  const { handler } = stack.use(createHttpClient({ origin, tls }));
  const [, metrics = ""] =
    /"metrics-server","url":"([^"]+)"/.exec(await readFile(log, "utf8")) ?? [];
  return { name, handler, cpuMs: () => cpuMsOf(`${metrics}/metrics`) };
}

async function cpuMsOf(url: string): Promise<number> {
  const text = await (await fetch(url)).text();
  return Number(/^process_cpu_seconds_total (.*)$/m.exec(text)?.[1]) * 1000;
}
