import { createHash, randomUUID } from "node:crypto";
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ExecStatus } from "./exec-credential.ts";

/** Keeps certificates in files that only their user can read, until they expire. */
export interface CredentialCache {
  /** One that will hold for a while; undefined where there is none that can be trusted. */
  find(key: readonly string[]): Promise<ExecStatus | undefined>;
  /** Rejects where the file can't be written. */
  put(key: readonly string[], status: ExecStatus): Promise<void>;
}

/** A certificate that is about to expire would do so on its way. */
const leastLeftMs = 30_000;

export function createCredentialCache(folder: string, now: () => Date): CredentialCache {
  const fileOf = (key: readonly string[]) =>
    join(folder, `${createHash("sha256").update(JSON.stringify(key)).digest("hex")}.json`);
  return {
    async find(key) {
      const status = await readPrivate(fileOf(key));
      if (status === undefined) return undefined;
      const left = Date.parse(status.expirationTimestamp) - now().getTime();
      return left > leastLeftMs ? status : undefined;
    },
    async put(key, status) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // One that is there already may have been made with another mode.
      await chmod(folder, 0o700);
      const file = fileOf(key);
      const draft = `${file}.${randomUUID()}`;
      try {
        await writeFile(draft, JSON.stringify(status), { mode: 0o600, flag: "wx" });
        await rename(draft, file);
      } finally {
        await rm(draft, { force: true });
      }
    },
  };
}

/** What others could have read or written is not used. */
async function readPrivate(file: string): Promise<ExecStatus | undefined> {
  try {
    const { mode, uid } = await stat(file);
    if ((mode & 0o077) !== 0 || uid !== process.getuid?.()) return undefined;
    const status = JSON.parse(await readFile(file, "utf8")) as Partial<ExecStatus>;
    const { expirationTimestamp, clientCertificateData, clientKeyData } = status;
    if (!expirationTimestamp || !clientCertificateData || !clientKeyData) return undefined;
    return { expirationTimestamp, clientCertificateData, clientKeyData };
  } catch {
    return undefined;
  }
}
