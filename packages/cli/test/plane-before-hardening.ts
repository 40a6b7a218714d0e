import { globSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { runCommand } from "@rookery/testing";

/** The place of the data folder in the recorded objects. */
const recordedFolder = "/plane";
const archive = join(import.meta.dirname, "testdata/plane-before-hardening.tar.gz");

/**
 * Unpacks the data folder of an `npm start` by the last state before tenants' objects were hardened. Beside
 * its four tenants it has two that use what is closed since:
 *
 * - `gull`, a VSphereCluster with an identity without `allowedServers`;
 * - `petrel`, a light control plane with `extraArgs` and a patch that puts its pod on the host's network.
 *
 * The history of the store is compacted, and the control plane of `emperor` holds the ConfigMap `kept`.
 */
export async function unpackPlaneBeforeHardening(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await runCommand("tar", ["--extract", "--gzip", "--file", archive, "--directory", folder]);
  for (const store of globSync("**/store.sqlite", { cwd: folder })) moveTo(folder, store);
}

/** Paths of volumes are in objects. */
function moveTo(folder: string, store: string): void {
  using database = new DatabaseSync(join(folder, store));
  const rows = database
    .prepare("SELECT revision, object FROM writes WHERE object IS NOT NULL")
    .all();
  const update = database.prepare("UPDATE writes SET object = ? WHERE revision = ?");
  for (const { revision, object } of rows) {
    const text = Buffer.from(object as Uint8Array).toString("utf8");
    const moved = text.replaceAll(`${recordedFolder}/volumes`, `${folder}/volumes`);
    if (moved !== text) update.run(Buffer.from(moved), Number(revision));
  }
}
