import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ContainerStatus } from "@rookery/api";
import type { ProcessHandle } from "./process-identity.ts";

export interface ContainerRecord {
  readonly process?: ProcessHandle;
  readonly status: ContainerStatus;
}

/** The state of a pod that a later run of the node needs. */
export interface PodRecord {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly address: string;
  readonly containers: Readonly<Record<string, ContainerRecord>>;
}

const file = "record.json";

/** Keeps it in the pod's folder, in one step. */
export function writeRecord(folder: string, record: PodRecord): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, file);
  writeFileSync(`${path}.new`, JSON.stringify(record), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Undefined where there is none that can be read. */
export function readRecord(folder: string): PodRecord | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, file), "utf8"));
  } catch {
    return undefined;
  }
}
