import { createHash, randomUUID } from "node:crypto";
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ClusterCredential } from "../aggregated-api/token-credential-request.ts";

/** Stores credentials in files that only the user can read, until they expire. */
export interface CredentialCache {
  /** A credential that does not expire soon; undefined without a trustworthy file. */
  find(key: readonly string[]): Promise<ClusterCredential | undefined>;
  /** Rejects if the file can't be written. */
  put(key: readonly string[], status: ClusterCredential): Promise<void>;
}

/** A certificate with less time left might expire during the request. */
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
      // An existing folder may have another mode.
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

/** Files that other users can read or write are ignored. */
async function readPrivate(file: string): Promise<ClusterCredential | undefined> {
  try {
    const { mode, uid } = await stat(file);
    if ((mode & 0o077) !== 0 || uid !== process.getuid?.()) return undefined;
    const status = JSON.parse(await readFile(file, "utf8")) as Partial<ClusterCredential>;
    const { expirationTimestamp, clientCertificateData, clientKeyData } = status;
    if (!expirationTimestamp || !clientCertificateData || !clientKeyData) return undefined;
    return { expirationTimestamp, clientCertificateData, clientKeyData };
  } catch {
    return undefined;
  }
}
