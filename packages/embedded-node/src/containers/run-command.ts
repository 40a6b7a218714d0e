import type { CommandResult } from "../probes/probe-check.ts";
import type { Command } from "./container-launch.ts";
import { startProcess } from "./container-process.ts";

/** The most output of a probe, as a kubelet limits it. */
const longestOutput = 10 * 1024;

/** Runs a command to its end; it is killed when the signal is aborted. */
export async function runCommand(command: Command, signal: AbortSignal): Promise<CommandResult> {
  signal.throwIfAborted();
  const process = await startProcess({ ...command, stdin: false });
  const chunks: Buffer[] = [];
  let length = 0;
  const take = (chunk: Buffer) => {
    if (length < longestOutput) chunks.push(chunk);
    length += chunk.length;
  };
  process.stdout.on("data", take);
  process.stderr.on("data", take);
  const kill = () => process.kill();
  signal.addEventListener("abort", kill, { once: true });
  if (signal.aborted) kill();
  try {
    const code = await process.ended;
    return { code, output: Buffer.concat(chunks).toString("utf8", 0, longestOutput) };
  } finally {
    signal.removeEventListener("abort", kill);
  }
}
