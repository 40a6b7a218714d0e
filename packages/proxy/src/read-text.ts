import { readFile } from "node:fs/promises";
import { ProxyFileError } from "./errors.ts";

/** The text of a file that has to be there. Rejects with ProxyFileError. */
export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new ProxyFileError("read", file, { why: (cause as Error).message, cause });
  }
}
