import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Side, Work } from "@rookery/testing";

const program = fileURLToPath(import.meta.resolve("./memory-process.ts"));

/** The most memory that a process takes for a long list: no more than for a short one. */
export function memoryWorks(): Work[] {
  return [
    {
      work: "peak memory, JSON list of 100 MB",
      unit: "bytes",
      better: "less",
      ours: side("ours", ["rename", "100"]),
      peers: [side("ours, list of 10 MB", ["rename", "10"]), side("recoded", ["recode", "100"])],
      goal: 0.8,
    },
  ];
}

/** Each round is a fresh process. */
function side(name: string, args: readonly string[]): Side {
  return {
    name,
    async round() {
      const { stdout } = await promisify(execFile)(process.execPath, [program, ...args]);
      return Number(stdout);
    },
  };
}
