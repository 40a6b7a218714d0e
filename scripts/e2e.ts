/** `npm run e2e [-- --install] [words]`: the end-to-end tier, on a real node with real pods. */
import { parseArgs } from "node:util";
import { installPackages, missingPackages, UnavailableError } from "@rookery/testing";
import { closing, runTier, testFiles } from "./tiers.ts";

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { install: { type: "boolean", default: false } },
});

try {
  await providePackages();
  const files = testFiles("end to end", words);
  const tally = await runTier({
    name: "end to end",
    files,
    isolation: "process",
    concurrency: 1,
    hangSeconds: 900,
  });
  process.exitCode = closing([tally], []);
} catch (error) {
  if (!(error instanceof UnavailableError)) throw error;
  console.error(`end to end: NOT RUN: ${error.message}`);
  process.exitCode = 1;
}

/** Installing is for machines that exist to run this, or for those who ask for it. */
async function providePackages(): Promise<void> {
  const missing = await missingPackages();
  if (missing.length === 0) return;
  if (values.install || process.env.CI === "true") return installPackages(missing);
  throw new UnavailableError("a real node", {
    reason: `these Debian packages are missing: ${missing.join(" ")}`,
    remedy: "install them, or let `npm run e2e -- --install` do it",
  });
}
