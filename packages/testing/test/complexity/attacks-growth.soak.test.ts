import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

const packages = join(import.meta.dirname, "../../..");

/** What is squared is so at every larger size; what leaves the processor's cache is slower at one of them. */
const scales = [8, 16];

/** Every row of every package with inputs eight times as large as in each run of `npm test`. */
describe("time grows no faster than larger inputs", () => {
  for (const file of globSync("*/src/**/growth.test.ts", { cwd: packages }).toSorted()) {
    it(file, { timeout: 1_200_000 }, async () => {
      const failures: string[] = [];
      for (const scale of scales) {
        const failure = await failureAt(scale, join(packages, file));
        if (failure === undefined) return;
        failures.push(failure);
      }
      throw new Error(failures.join("\n"));
    });
  }
});

async function failureAt(scale: number, file: string): Promise<string | undefined> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, ["--test", file], {
    env: { ...env, ROOKERY_GROWTH_SCALE: String(scale) },
    stdio: ["ignore", "pipe", "inherit"],
    timeout: 590_000,
  });
  const output = await child.stdout.setEncoding("utf8").toArray();
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  if (child.exitCode === 0) return undefined;
  return output.join("").split("failing tests:").at(-1);
}
