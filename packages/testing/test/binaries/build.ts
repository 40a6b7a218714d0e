/** Gets the binaries that it is told, by a build that takes for ever. */
import { ensureBinaries } from "../../src/binaries/binaries.ts";
import type { BinaryName } from "../../src/binaries/recipe.ts";

await ensureBinaries(process.argv.slice(2) as BinaryName[]);
