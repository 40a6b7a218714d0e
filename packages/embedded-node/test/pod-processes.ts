import { readdir, readFile } from "node:fs/promises";

/** The processes of pods, by what the node tells them. */
export async function processesOf(...uids: readonly (string | undefined)[]): Promise<number[]> {
  const wanted = new Set(uids);
  const found: number[] = [];
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
    const [, uid] = /(?:^|\0)ROOKERY_POD_UID=([^\0]*)/.exec(environment) ?? [];
    if (uid && wanted.has(uid)) found.push(Number(pid));
  }
  return found;
}
