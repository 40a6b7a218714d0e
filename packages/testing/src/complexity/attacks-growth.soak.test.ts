import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

const packages = join(import.meta.dirname, "../../..");

/** Every row of every package with inputs eight times as large as in each run of `npm test`. */
describe("time grows no faster than larger inputs", () => {
  for (const file of globSync("*/src/**/growth.test.ts", { cwd: packages }).toSorted()) {
    it(file, { timeout: 600_000 }, async () => {
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      const child = spawn(process.execPath, ["--test", join(packages, file)], {
        env: { ...env, ROOKERY_GROWTH_SCALE: "8" },
        stdio: ["ignore", "pipe", "inherit"],
        timeout: 590_000,
      });
      const output = await child.stdout.setEncoding("utf8").toArray();
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      if (child.exitCode !== 0) throw new Error(output.join("").split("failing tests:").at(-1));
    });
  }
});
