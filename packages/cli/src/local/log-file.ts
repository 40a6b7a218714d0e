import { renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { openPrivateFile } from "@rookery/local";
import { LocalFolderError } from "../errors.ts";
import { whyNot } from "./data-folder.ts";

const mostLogBytes = 10 * 1024 * 1024;

export interface LogFile {
  readonly file: string;
  readonly descriptor: number;
  /** The size of the file before this process writes. */
  readonly offset: number;
}

export function logFileOf(data: string): string {
  return join(data, "rookery.log");
}

/** Opens the log for appending, after renaming a large one. */
export function openLogFile(data: string): LogFile {
  const file = logFileOf(data);
  try {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size > mostLogBytes) renameSync(file, `${file}.old`);
    const offset = size > mostLogBytes ? 0 : size;
    return { file, descriptor: openPrivateFile(file), offset };
  } catch (error) {
    throw new LocalFolderError(data, whyNot(error), error);
  }
}
