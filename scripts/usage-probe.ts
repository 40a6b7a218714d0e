/**
 * Loaded into the process of each test file: when it ends, it appends what it took to the file that
 * ROOKERY_USAGE names. Children count once they have ended, API servers among them.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { cpuSecondsOf, type Usage } from "./usage.ts";

const file = process.env.ROOKERY_USAGE;
const isTest = process.env.NODE_TEST_CONTEXT !== undefined;
if (file && isTest)
  process.once("exit", () => appendFileSync(file, `${JSON.stringify(usage())}\n`));

function usage(): Usage {
  const seconds = performance.now() / 1000;
  const path = process.argv[1] ?? "";
  try {
    return { path, seconds, ...cpuSecondsOf(readFileSync("/proc/self/stat", "latin1")) };
  } catch {
    const { user, system } = process.cpuUsage();
    return { path, seconds, own: (user + system) / 1e6, children: 0 };
  }
}
