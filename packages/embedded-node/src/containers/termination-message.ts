import { open, readFile } from "node:fs/promises";
import type { Container } from "@rookery/api";

const longestMessage = 4096;
const longestLog = 2048;
const mostLogLines = 80;

/** The termination message: the container's file, or the end of its log if it failed with that policy. */
export async function terminationMessage(
  { terminationMessagePolicy }: Container,
  files: { readonly message: string; readonly log: string },
  exitCode: number,
): Promise<string> {
  const message = await readBeginning(files.message);
  if (message !== "") return message;
  if (terminationMessagePolicy !== "FallbackToLogsOnError" || exitCode === 0) return "";
  const lines = (await readText(files.log)).split("\n").filter((line) => line !== "");
  const texts = lines.slice(-mostLogLines).map((line) => line.split(" ").slice(3).join(" "));
  return texts
    .map((text) => `${text}\n`)
    .join("")
    .slice(-longestLog);
}

/** A container may write as much as it likes. */
async function readBeginning(path: string): Promise<string> {
  try {
    await using file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(longestMessage));
    return buffer.toString("utf8", 0, bytesRead);
  } catch {
    return "";
  }
}

function readText(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}
