/**
 * Part of `npm run check`: no two-way dependencies between folders of a package, and no product code
 * that imports test code. `known-two-way.json` lists what older code still has; the list may only shrink.
 */
import { root } from "../steps.ts";
import { productImports } from "./imports.ts";
import known from "./known-two-way.json" with { type: "json" };
import { problemsOf } from "./problems.ts";

const problems = problemsOf(productImports(root), known);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
