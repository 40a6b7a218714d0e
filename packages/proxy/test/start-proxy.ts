import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ApiProxy, createProxy, parseProxyFlags } from "@rookery/proxy";
import { createLogger } from "@rookery/runtime";
import { createTemporaryFolder, waitFor } from "@rookery/testing";

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
  /** All that it prints, whether it fails or not. */
  tryKubectl(args: readonly string[], options?: KubectlOptions): Promise<KubectlResult>;
  /** Runs until it is disposed of. */
  followKubectl(args: readonly string[], env?: KubectlOptions["env"]): FollowedKubectl;
  /** Tells it to stop, and waits until it has. */
  stop(): Promise<void>;
}

export interface KubectlOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface KubectlResult {
  readonly failed: boolean;
  readonly output: string;
}

export interface FollowedKubectl extends AsyncDisposable {
  /** What it has printed so far. */
  readonly output: string;
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
  const { tryKubectl, followKubectl } = createKubectl(kubectl, folder);
  const { appUrl, callbackUrl, healthUrl, metricsUrl } = proxy;
  return {
    appUrl,
    callbackUrl,
    healthUrl,
    metricsUrl,
    folder,
    kubeconfig,
    stop,
    ca: () => readFile(join(folder, "ca.crt"), "utf8"),
    get log() {
      return lines.join("");
    },
    async kubectl(words, settings) {
      const { failed, output } = await tryKubectl(words, settings);
      if (failed) throw new Error(`could not run kubectl ${words.join(" ")}: ${output}`);
      return output;
    },
    tryKubectl,
    followKubectl,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Kubectl with a kubeconfig and a cache of its own. */
function createKubectl(kubectl: string, folder: string) {
  const own = [
    `--kubeconfig=${join(folder, "kubeconfig")}`,
    `--cache-dir=${join(folder, "cache")}`,
  ];
  const env = { PATH: process.env.PATH, HOME: folder };
  const tryKubectl: RunningProxy["tryKubectl"] = (words, settings = {}) =>
    new Promise((resolve) => {
      const options = { env: { ...env, ...settings.env }, maxBuffer: 1 << 28 };
      const child = execFile(kubectl, [...own, ...words], options, (error, stdout, stderr) => {
        resolve({ failed: error !== null, output: stdout + stderr });
      });
      child.stdin?.on("error", () => {}).end(settings.stdin ?? "");
    });
  const followKubectl: RunningProxy["followKubectl"] = (words, more = {}) => {
    const child = spawn(kubectl, [...own, ...words], {
      env: { ...env, ...more },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const chunks: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk) => chunks.push(chunk));
    }
    return {
      get output() {
        return chunks.join("");
      },
      async [Symbol.asyncDispose]() {
        const ended = once(child, "close");
        if (child.kill()) await ended;
      },
    };
  };
  return { tryKubectl, followKubectl };
}

function whenReady(proxy: ApiProxy): Promise<unknown> {
  return waitFor(async () => (await fetch(`${proxy.healthUrl}/readyz`)).status === 200, {
    what: "the proxy to be ready",
  });
}
