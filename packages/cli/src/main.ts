#!/usr/bin/env node
import { enableCompileCache } from "node:module";

enableCompileCache();
const [{ rookery }, { endUnheard }, { text }] = await Promise.all([
  import("./program.ts"),
  import("./end-unheard.ts"),
  import("node:stream/consumers"),
]);
endUnheard([process.stdout, process.stderr]);
process.exitCode = await rookery(process.argv.slice(2), {
  write: (chunk) => process.stdout.write(chunk),
  writeError: (chunk) => process.stderr.write(chunk),
  readInput: () => text(process.stdin),
  ...(process.stdin.isTTY && { ask }),
  ...(process.stdout.isTTY && { terminal: { columns: () => process.stdout.columns } }),
  env: process.env,
});

async function ask(question: string): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}
