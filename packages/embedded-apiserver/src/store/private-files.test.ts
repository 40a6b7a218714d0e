import assert from "node:assert/strict";
import { chmod, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createTemporaryFolder } from "@rookery/testing";
import { replacePrivateFile, tightenData, writePrivateFile } from "./private-files.ts";

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

/** A data folder as it was left with a umask that takes nothing away. */
async function looseFolder(...others: readonly string[]) {
  const folder = await createTemporaryFolder("loose");
  const data = join(folder.path, "data");
  for (const name of ["", "pki", "node/logs/pod/main", "node/pods", "volumes/pvc-1"]) {
    await mkdir(join(data, name), { recursive: true });
    await chmod(join(data, name), 0o777);
  }
  const files = [
    "store.sqlite",
    "store.sqlite-wal",
    "store.sqlite-shm",
    "kubeconfig",
    "pki/ca.key",
  ];
  for (const name of [...files, "node/logs/pod/main/0.log", "rookery.log", ...others]) {
    await writeFile(join(data, name), "");
    await chmod(join(data, name), 0o666);
  }
  return { data, folder: folder.path, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe("private files", () => {
  it("are those of a data folder, whatever they were made with", async () => {
    await using scene = await looseFolder();
    tightenData(scene.data);
    const modes = async (...names: readonly string[]) =>
      new Set(await Promise.all(names.map((name) => modeOf(join(scene.data, name)))));
    assert.deepEqual(
      await modes("", "pki", "node", "node/logs", "node/logs/pod/main", "volumes"),
      new Set([0o700]),
    );
    assert.deepEqual(
      await modes(
        ...["store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "kubeconfig", "pki/ca.key"],
        ...["node/logs/pod/main/0.log", "rookery.log"],
      ),
      new Set([0o600]),
    );
    assert.equal(await modeOf(join(scene.data, "volumes/pvc-1")), 0o777, "the pods' own");
  });

  it("are not those of somebody else in the same folder, nor behind links", async () => {
    await using scene = await looseFolder("notes");
    const elsewhere = join(scene.folder, "elsewhere");
    await writeFile(elsewhere, "");
    await chmod(elsewhere, 0o666);
    await symlink(elsewhere, join(scene.data, "holder"));
    tightenData(scene.data);
    assert.equal(await modeOf(scene.data), 0o777);
    assert.equal(await modeOf(join(scene.data, "notes")), 0o666);
    assert.equal(await modeOf(elsewhere), 0o666);
    assert.equal(await modeOf(join(scene.data, "store.sqlite")), 0o600);
  });

  it("are private before anything is written to them, also those that were there", async () => {
    await using scene = await looseFolder();
    const file = join(scene.data, "kubeconfig");
    await writeFile(file, "a longer one than the next");
    writePrivateFile(file, "next");
    assert.deepEqual([await readFile(file, "utf8"), await modeOf(file)], ["next", 0o600]);
    await writeFile(`${file}.new`, "left by a process that was killed");
    await chmod(`${file}.new`, 0o666);
    await chmod(file, 0o666);
    replacePrivateFile(file, "third");
    assert.deepEqual([await readFile(file, "utf8"), await modeOf(file)], ["third", 0o600]);
  });
});
