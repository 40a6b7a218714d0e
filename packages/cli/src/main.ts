#!/usr/bin/env node
import { enableCompileCache } from "node:module";

enableCompileCache();
const [{ rookery }, { text }] = await Promise.all([
  import("./program.ts"),
  import("node:stream/consumers"),
]);
process.exitCode = await rookery(process.argv.slice(2), {
  write: (chunk) => process.stdout.write(chunk),
  writeError: (chunk) => process.stderr.write(chunk),
  readInput: () => text(process.stdin),
  env: process.env,
});
