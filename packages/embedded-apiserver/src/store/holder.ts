import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writePrivateFile } from "./private-files.ts";

const fileName = "holder";

/** Leaves word of who has the folder, for the message that the next one gets. It is no lock. */
export function nameHolder(folder: string): void {
  writePrivateFile(join(folder, fileName), `${process.pid}\n`);
}

/** Why a folder can't be had that another process has locked. */
export function describeHolder(folder: string): string {
  const holder = Number.parseInt(holderOf(folder), 10);
  const who = Number.isNaN(holder) ? "another process" : `process ${holder}`;
  return `${who} uses it; end that one or take another folder`;
}

function holderOf(folder: string): string {
  try {
    return readFileSync(join(folder, fileName), "utf8");
  } catch {
    return "";
  }
}
