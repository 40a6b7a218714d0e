import { randomBytes } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ProxyFileError } from "./errors.ts";

/** Readers see the old or the new text, never a part. Rejects with ProxyFileError. */
export async function writeFileAtomically(file: string, text: string, mode: number): Promise<void> {
  const temporary = join(dirname(file), `.${randomBytes(6).toString("hex")}.tmp`);
  try {
    await writeFile(temporary, text, { mode, flag: "wx" });
    await rename(temporary, file);
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => {});
    const { code, message } = cause as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "its folder is not there; make it first" : message;
    throw new ProxyFileError("write", file, { why, cause });
  }
}

/** Rejects with ProxyFileError. */
export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new ProxyFileError("read", file, { why: (cause as Error).message, cause });
  }
}
