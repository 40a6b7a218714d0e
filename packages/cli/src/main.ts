#!/usr/bin/env node
import { enableCompileCache } from "node:module";

enableCompileCache();
const { rookery } = await import("./program.ts");
await rookery(process.argv.slice(2), (text) => process.stdout.write(text));
