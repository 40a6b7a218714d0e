#!/usr/bin/env node
import { enableCompileCache } from "node:module";

enableCompileCache();
const { createProgram } = await import("./program.ts");
await createProgram((text) => process.stdout.write(text)).parseAsync();
