/** Writes src/generated/go-types.json: the Go types of built-in kinds, by a program that looks at them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureGoProgram, runCommand } from "@rookery/testing";
import { servedKinds } from "./served-kinds.ts";

const program = await ensureGoProgram(join(import.meta.dirname, "go/types"));
const table = await runCommand(program, [], { stdin: JSON.stringify(servedKinds) });
writeFileSync(join(import.meta.dirname, "../src/generated/go-types.json"), table);
console.log(`${Object.keys(JSON.parse(table).roots).length} kinds, ${table.length} characters`);
