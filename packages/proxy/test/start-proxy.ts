import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ApiProxy, createProxy, parseProxyFlags } from "@rookery/proxy";
import { createLogger } from "@rookery/runtime";
import { createTemporaryFolder, runCommand, waitFor } from "@rookery/testing";

export interface RunningProxy extends AsyncDisposable, Omit<ApiProxy, "run"> {
  /** Empty at first, and gone with the proxy. */
  readonly folder: string;
  /** Written by the proxy. */
  readonly kubeconfig: string;
  /** The authority that clients have to trust. */
  ca(): Promise<string>;
  /** What it has logged so far. */
  readonly log: string;
  kubectl(args: readonly string[], options?: KubectlOptions): Promise<string>;
  /** Tells it to stop, and waits until it has. */
  stop(): Promise<void>;
}

export interface KubectlOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A proxy in this process, on free ports of loopback, with the proxy's identity unless told otherwise. */
export async function startProxy(kubectl: string, args: readonly string[]): Promise<RunningProxy> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTemporaryFolder("proxy")).path;
  const kubeconfig = join(folder, "kubeconfig");
  const defaults = {
    identity: "proxy",
    "bind-address": "127.0.0.1:0",
    "health-addr": "127.0.0.1:0",
    "metrics-bind-address": "127.0.0.1:0",
    "ca-file-out": join(folder, "ca.crt"),
    "app-kubeconfig-out": kubeconfig,
    v: "4",
  };
  const standard = Object.entries(defaults).map(([name, value]) => `--${name}=${value}`);
  const flags = parseProxyFlags([...standard, ...args]);
  if (flags.help) throw new Error("could not start a proxy: --help is no way to");
  const lines: string[] = [];
  const logger = createLogger({
    verbosity: flags.v,
    output: { write: (line) => lines.push(line) },
  });
  const proxy = await createProxy({ flags, logger });
  const controller = new AbortController();
  const ended = proxy.run(controller.signal);
  const stop = () => {
    controller.abort();
    return ended;
  };
  stack.defer(stop);
  await Promise.race([ended, whenReady(proxy)]);
  const owned = stack.move();
  const { appUrl, callbackUrl, healthUrl, metricsUrl } = proxy;
  return {
    ...{ appUrl, callbackUrl, healthUrl, metricsUrl, folder, kubeconfig, stop },
    ca: () => readFile(join(folder, "ca.crt"), "utf8"),
    get log() {
      return lines.join("");
    },
    kubectl: (words, { stdin, env } = {}) =>
      runCommand(
        kubectl,
        [`--kubeconfig=${kubeconfig}`, `--cache-dir=${join(folder, "cache")}`, ...words],
        { env: { PATH: process.env.PATH, HOME: folder, ...env }, ...(stdin && { stdin }) },
      ),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function whenReady(proxy: ApiProxy): Promise<unknown> {
  return waitFor(async () => (await fetch(`${proxy.healthUrl}/readyz`)).status === 200, {
    what: "the proxy to be ready",
  });
}
