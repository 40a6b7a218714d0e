import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { TableNames } from "./iptables.ts";

/** The changes that a node makes to its machine, recorded before it makes them so that they can be undone. */
export interface NodeRecord {
  /** Holds all files of the node: images, pods, logs, sockets. */
  readonly folder: string;
  readonly bridge: string;
  readonly cgroup: string;
  /** The values before. */
  readonly sysctls: Readonly<Record<string, string>>;
  /** The tables of iptables and ip6tables that were there before. */
  readonly tables: TableNames;
  /** Folders outside of `folder` that were not there before. */
  readonly newFolders: readonly string[];
}

/** The record of the node on this machine; there is at most one. Used under the node's lock. */
export class NodeJournal {
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  /** The record that an earlier node left, or undefined. */
  async read(): Promise<NodeRecord | undefined> {
    if (!existsSync(this.file)) return undefined;
    return JSON.parse(await readFile(this.file, "utf8")) as NodeRecord;
  }

  async write(record: NodeRecord): Promise<void> {
    await mkdir(dirname(this.file), { recursive: true });
    const staged = `${this.file}.new`;
    await writeFile(staged, JSON.stringify(record, undefined, 2), { mode: 0o600 });
    await rename(staged, this.file);
  }

  async remove(): Promise<void> {
    await rm(this.file, { force: true });
  }
}
