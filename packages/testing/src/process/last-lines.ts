import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const tailBytes = 16 * 1024;

/** The last lines of a log, for an error message; "" where there is no log. */
export function lastLines(file: string, count = 20): string {
  try {
    return tail(file).split("\n").slice(-count).join("\n");
  } catch {
    return "";
  }
}

function tail(file: string): string {
  const fd = openSync(file, "r");
  try {
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, tailBytes));
    readSync(fd, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString("utf8").trimEnd();
  } finally {
    closeSync(fd);
  }
}
