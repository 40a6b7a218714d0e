import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { promisify } from "node:util";

/**
 * Removes a folder with everything in it. What is mounted below it is unmounted first, and while
 * anything still is, nothing is removed: deleting through a bind mount would delete the other side.
 */
export async function removeFolder(folder: string): Promise<void> {
  for (const mountPoint of (await mountsBelow(folder)).reverse()) {
    await promisify(execFile)("umount", ["--lazy", mountPoint]).catch(() => {});
  }
  const left = await mountsBelow(folder);
  if (left.length > 0) {
    throw new Error(`could not remove ${folder}: ${left.join(", ")} is still mounted`);
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** The mount points at or below a folder, outer ones first. */
export async function mountsBelow(folder: string): Promise<string[]> {
  if (process.platform !== "linux") return [];
  const lines = (await readFile("/proc/self/mountinfo", "utf8")).split("\n");
  return lines
    .map((line) => unescapeOctal(line.split(" ")[4] ?? ""))
    .filter((mountPoint) => mountPoint === folder || mountPoint.startsWith(`${folder}/`));
}

function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
