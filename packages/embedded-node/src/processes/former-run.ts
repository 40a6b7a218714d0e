import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type PodRecord, readRecord } from "./pod-record.ts";
import { killGroup, killStrays } from "./stray-processes.ts";

/**
 * Ends the processes that a former run of the node left behind, and returns the records of its pods.
 * Later processes with the same process ids are left alone.
 */
export async function endFormerRun(folder: string): Promise<ReadonlyMap<string, PodRecord>> {
  const podFolder = join(folder, "pods");
  await mkdir(podFolder, { recursive: true, mode: 0o700 });
  const uids = await readdir(podFolder);
  const records = new Map<string, PodRecord>();
  for (const uid of uids) {
    const record = readRecord(join(podFolder, uid));
    if (record) records.set(uid, record);
  }
  const processes = [...records.values()].flatMap(({ containers }) =>
    Object.values(containers).flatMap((container) => container.process ?? []),
  );
  await Promise.all(processes.map(killGroup));
  await killStrays(uids);
  return records;
}

/** Removes the folders of pods that were deleted while there was no node. */
export async function removeFormerPods(
  folder: string,
  present: ReadonlySet<string>,
): Promise<void> {
  await removeOthers(join(folder, "pods"), (name) => present.has(name));
  await removeOthers(join(folder, "logs"), (name) => present.has(name.split("_").at(-1) ?? ""));
}

async function removeOthers(folder: string, isPresent: (name: string) => boolean): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const gone = names.filter((name) => !isPresent(name));
  await Promise.all(gone.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}
