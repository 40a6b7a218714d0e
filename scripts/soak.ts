/** `npm run soak [-- --name text words]`: scale and endurance; minutes to hours, never part of `npm test`. */
import { parseArgs } from "node:util";
import { closing, runTier, testFiles } from "./tiers.ts";

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { name: { type: "string" } },
});
const files = testFiles("soak", words);
const tally = await runTier({
  name: "soak",
  files,
  isolation: "process",
  concurrency: 1,
  hangSeconds: 4 * 3600,
  testName: values.name,
});
process.exitCode = closing([tally], [], values.name);
