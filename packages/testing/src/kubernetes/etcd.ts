import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Child } from "../process/child.ts";
import { componentEnvironment } from "./environment.ts";
import { startHealthyChild } from "./readiness.ts";

export interface EtcdOptions {
  readonly binary: string;
  /** Holds the data and the socket, and is removed by whoever made it. */
  readonly folder: string;
  readonly logs: string;
}

export interface Etcd {
  readonly url: string;
  readonly child: Child;
}

/**
 * Starts one etcd member and waits until it is healthy. What it keeps may be lost with the machine.
 * It listens on a socket in the folder: nobody else can reach it, and no port can be taken first.
 */
export async function startEtcd(options: EtcdOptions): Promise<Etcd> {
  const socket = join(options.folder, "etcd.sock");
  const url = `unix://${socket}`;
  // Nobody uses these: the only member has no peers, and the API server is told the socket.
  const none = "http://127.0.0.1:0";
  const data = join(options.folder, "etcd");
  await mkdir(data, { recursive: true, mode: 0o700 });
  const child = {
    name: "etcd",
    command: options.binary,
    args: [
      `--data-dir=${data}`,
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${none}`,
      `--listen-peer-urls=${none}`,
      `--initial-advertise-peer-urls=${none}`,
      `--initial-cluster=default=${none}`,
      "--unsafe-no-fsync",
      "--log-level=warn",
    ],
    env: componentEnvironment(),
    log: join(options.logs, "etcd.log"),
  };
  const health = { url: "http://localhost/health", socketPath: socket };
  return { url, child: await startHealthyChild(child, health) };
}
