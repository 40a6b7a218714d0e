import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Child } from "../process/child.ts";
import { startHealthyChild } from "./readiness.ts";

export interface EtcdOptions {
  readonly binary: string;
  /** Holds the data and is removed by whoever made it. */
  readonly folder: string;
  readonly logs: string;
  readonly ports: { readonly client: number; readonly peer: number };
}

export interface Etcd {
  readonly url: string;
  readonly child: Child;
}

/** Starts one etcd member on loopback and waits until it is healthy. What it keeps may be lost. */
export async function startEtcd(options: EtcdOptions): Promise<Etcd> {
  const url = `http://127.0.0.1:${options.ports.client}`;
  const peer = `http://127.0.0.1:${options.ports.peer}`;
  const data = join(options.folder, "etcd");
  await mkdir(data, { recursive: true, mode: 0o700 });
  const child = {
    name: "etcd",
    command: options.binary,
    args: [
      `--data-dir=${data}`,
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${url}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
      "--unsafe-no-fsync",
      "--log-level=warn",
    ],
    log: join(options.logs, "etcd.log"),
  };
  return { url, child: await startHealthyChild(child, { url: `${url}/health` }) };
}
