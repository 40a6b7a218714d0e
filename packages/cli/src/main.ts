#!/usr/bin/env node
// biome-ignore lint/correctness/useImportExtensions: a plain file, which comes before all TypeScript.
import { enableCompileCache } from "./enable-compile-cache.mjs";

enableCompileCache();
const [{ rookery }, { programName }, { endUnheard }] = await Promise.all([
  import("./program.ts"),
  import("./help/as-called.ts"),
  import("./end-unheard.ts"),
]);
endUnheard([process.stdout, process.stderr]);
const [, started = "", ...args] = process.argv;
const io = {
  write: (chunk: string) => process.stdout.write(chunk),
  writeError: (chunk: string) => process.stderr.write(chunk),
  readInput,
  ...(process.stdin.isTTY && { ask }),
  ...(process.stdout.isTTY && { terminal: { columns: () => process.stdout.columns } }),
  env: process.env,
};
process.exitCode = await rookery(args, io, programName(started));

async function readInput(): Promise<string> {
  const { text } = await import("node:stream/consumers");
  return text(process.stdin);
}

async function ask(question: string): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}
