/**
 * Writes to the store in a folder without end, and prints each write once it is acknowledged:
 * "<revision> <name> <data>", without data where it deleted. `node store-writer.ts <folder>`.
 */
import { randomBytes } from "node:crypto";
import { writeSync } from "node:fs";
import type { StoreEntry } from "@rookery/kube";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { checksum } from "./store.ts";

const writers = 16;
const names = 400;
const [folder = ""] = process.argv.slice(2);

/** Replaces more than it creates, deletes some, and leaves a checksum. */
async function writeOne(store: Store, name: string): Promise<string> {
  const key = { resource: "configmaps", namespace: "default", name };
  const there: StoreEntry | undefined = store.get(key);
  const expected = there?.revision ?? 0;
  if (there && Math.random() < 0.2) {
    const deleted = await store.write({ ...key, expected, object: undefined });
    return `${deleted.revision} ${name}\n`;
  }
  const value = randomBytes(400 + Math.random() * 800).toString("hex");
  const data = { value, sum: checksum(value) };
  const metadata = { namespace: "default", name };
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata, data };
  const written = await store.write({ ...key, expected, object });
  return `${written.revision} ${name} ${data.sum}\n`;
}

/** Each has names of its own, so that none gets in another's way. */
async function writeOn(store: Store, writer: number): Promise<never> {
  for (let i = 0; ; i++) {
    const name = `object-${(i * writers + writer) % names}`;
    // To a file: the line is in the hands of the system when the call returns.
    writeSync(1, await writeOne(store, name));
  }
}

// Little history, so that it is compacted all the time.
const store = await openStore({ folder, maxHistory: 500 });
await Promise.all(Array.from({ length: writers }, (_, writer) => writeOn(store, writer)));
