import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Child } from "../process/child.ts";
import { componentEnvironment } from "./environment.ts";
import { startHealthyChild } from "./readiness.ts";

export interface EtcdOptions {
  readonly binary: string;
  /** The folder of the data and the socket; the caller removes it. */
  readonly folder: string;
  readonly logs: string;
}

export interface Etcd {
  readonly url: string;
  readonly child: Child;
}

/**
 * Starts one etcd member and waits until it is healthy. Its data may be lost with the machine. Its
 * socket in the folder is closed to other users and needs no free port.
 */
export async function startEtcd(options: EtcdOptions): Promise<Etcd> {
  const socket = join(options.folder, "etcd.sock");
  const url = `unix://${socket}`;
  // Unused: the only member has no peers, and the API server uses the socket.
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
