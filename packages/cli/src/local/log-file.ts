import { renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { openPrivateFile } from "@rookery/local";
import { LocalFolderError } from "../errors.ts";
import { whyNot } from "./data-folder.ts";

const mostLogBytes = 10 * 1024 * 1024;

export interface LogFile {
  readonly file: string;
  readonly descriptor: number;
  /** Where what this process writes begins. */
  readonly offset: number;
}

/** Where the log of who has the folder is. */
export function logFileOf(data: string): string {
  return join(data, "rookery.log");
}

/** Appended to, so that the end of the last run can be read; a large one makes room. */
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
