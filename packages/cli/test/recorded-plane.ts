import { globSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { runCommand } from "@rookery/testing";

/** The place of the data folder in the recorded objects. */
const recordedFolder = "/plane";

/**
 * The states whose data folder of an `npm start` is kept, by the version of the providers in it. The
 * history of the stores is compacted. Beside the four tenants of a plane there are:
 *
 * - in v0.1.0, of before tenants' objects were hardened, two that use what is closed since: `gull`, a
 *   VSphereCluster with an identity without `allowedServers`, and `petrel`, a light control plane with
 *   `extraArgs` and a patch that puts its pod on the host's network. The control plane of `emperor` holds
 *   the ConfigMap `kept`.
 * - in v0.2.0, `murre`, a light control plane of components that the user declared one by one, and `skua`,
 *   a VSphereCluster whose vCenter is never there, with a Secret for its identity. The control planes of
 *   `emperor` and `murre` hold the ConfigMap `kept`.
 */
export type RecordedVersion = "v0.1.0" | "v0.2.0";

/** Unpacks the data folder that `npm start` of a former state wrote. */
export async function unpackPlane(version: RecordedVersion, folder: string): Promise<void> {
  const archive = join(import.meta.dirname, `testdata/plane-${version}.tar.gz`);
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
