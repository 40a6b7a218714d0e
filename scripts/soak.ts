/** `npm run soak [-- words]`: scale and endurance; minutes to hours, and never part of `npm test`. */
import { closing, runTier, testFiles } from "./tiers.ts";

const files = testFiles("soak", process.argv.slice(2));
const tally = await runTier({
  name: "soak",
  files,
  isolation: "process",
  concurrency: 1,
  hangSeconds: 4 * 3600,
});
process.exitCode = closing([tally], []);
