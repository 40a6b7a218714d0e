import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import type { StoreEntry } from "@rookery/kube";
import { createTemporaryFolder, startChild, waitFor } from "@rookery/testing";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { checksum, configMap, recordEvents } from "./store.ts";

interface Acknowledged {
  readonly revision: number;
  readonly name: string;
  /** Undefined where it deleted. */
  readonly sum: string | undefined;
}

const kills = 20;
const program = fileURLToPath(import.meta.resolve("./store-writer.ts"));

it("keeps every acknowledged write, and none torn, of a store that is killed again and again", async (t) => {
  await using folder = await createTemporaryFolder("store-kill");
  const data = join(folder.path, "data");
  let there: readonly Acknowledged[] = [];
  let count = 0;
  for (let kill = 0; kill < kills; kill++) {
    const acknowledged = await writeUntilKilled(data, join(folder.path, `acknowledged-${kill}`));
    count += acknowledged.length;
    await using store = await openStore({ folder: data });
    const newest = new Map([...there, ...acknowledged].map((write) => [write.name, write]));
    checkStore(store, newest);
    there = store.list("configmaps").entries.map(toAcknowledged);
  }
  t.diagnostic(`${count} acknowledged writes, ${kills} kills`);
  assert.ok(count > 10_000, `only ${count} writes were acknowledged`);
});

it("refuses to write where there is no room, and keeps what it has acknowledged", async () => {
  await using folder = await createTemporaryFolder("store-full");
  const data = join(folder.path, "data");
  const log = join(folder.path, "acknowledged");
  const limited = ["-c", 'ulimit -f 4096; exec "$0" "$@"', process.execPath, program, data];
  await using child = await startChild({ name: "writer", command: "sh", args: limited, log });
  await child.whenEnded();
  const lines = readFileSync(log, "utf8").split("\n");
  const end = lines.findIndex((line) => !/^\d+ object-/.test(line));
  assert.match(
    lines.slice(end).join("\n"),
    /StoreWriteError.*could not write to the store in .*: the disk/,
  );
  assert.ok(end > 100);
  await using store = await openStore({ folder: data });
  checkStore(
    store,
    new Map(
      lines
        .slice(0, end)
        .map(parseLine)
        .map((write) => [write.name, write]),
    ),
  );
  await store.write(configMap("room-again"));
});

/** Ends it at any point of a transaction, a compaction or a checkpoint. */
async function writeUntilKilled(data: string, log: string): Promise<Acknowledged[]> {
  const args = [program, data];
  await using child = await startChild({ name: "writer", command: process.execPath, args, log });
  const enough = 3_000 + Math.random() * 60_000;
  const isEnough = () => {
    child.assertRunning();
    return statSync(log).size > enough;
  };
  await waitFor(isEnough, { what: "acknowledged writes", interval: 1 });
  await child.kill();
  // The last line may lack its end; it was acknowledged to nobody then.
  return readFileSync(log, "utf8").split("\n").slice(0, -1).map(parseLine);
}

function toAcknowledged(entry: StoreEntry): Acknowledged {
  return { revision: entry.revision, name: entry.name, sum: dataOf(entry).sum };
}

function parseLine(line: string): Acknowledged {
  const [revision, name = "", sum] = line.split(" ");
  return { revision: Number(revision), name, sum };
}

function checkStore(store: Store, newest: ReadonlyMap<string, Acknowledged>): void {
  const { entries } = store.list("configmaps");
  for (const entry of entries) assert.equal(sumOf(entry), dataOf(entry).sum, entry.name);
  const last = Math.max(...[...newest.values()].map(({ revision }) => revision));
  assert.ok(store.revision >= last, `${store.revision} is the newest, ${last} was acknowledged`);
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  for (const write of newest.values()) {
    const entry = byName.get(write.name);
    if (entry) checkEntry(entry, write);
    else if (write.sum !== undefined) checkDeletion(store, write.name, last);
  }
}

/** It is what was acknowledged last, or was written after that without a word. */
function checkEntry(entry: StoreEntry, write: Acknowledged): void {
  if (entry.revision > write.revision) return;
  assert.deepEqual([entry.revision, dataOf(entry).sum], [write.revision, write.sum]);
}

function checkDeletion(store: Store, name: string, last: number): void {
  const deleted = recordEvents(store, "configmaps", last).map((event) => event.deleted?.name);
  assert.ok(deleted.includes(name), `${name} is gone, and nobody has deleted it`);
}

function dataOf({ object, revision }: StoreEntry): { value?: string; sum?: string } {
  assert.equal(object.metadata?.resourceVersion, String(revision));
  return (object as { data?: { value: string; sum: string } }).data ?? {};
}

function sumOf(entry: StoreEntry): string {
  return checksum(dataOf(entry).value ?? "");
}
