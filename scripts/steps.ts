import { type SpawnOptions, spawn } from "node:child_process";
import { join } from "node:path";

export const root = join(import.meta.dirname, "..");

export interface Outcome {
  readonly code: number;
  readonly output: string;
  readonly seconds: number;
}

/**
 * Runs a command from the root with the workspace's own binaries first on the PATH. Output is
 * collected; with `stdio: "inherit"` it goes straight to the terminal instead. Ctrl-C reaches the
 * child through the terminal's process group: this process waits for it to end and tidy up.
 */
export function run(command: readonly string[], options: SpawnOptions = {}): Promise<Outcome> {
  const [file = "", ...args] = command;
  const started = performance.now();
  const env = { ...environment(), ...options.env };
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: root, stdio: "pipe", ...options, env });
    const chunks: Buffer[] = [];
    child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.on("error", reject);
    child.on("close", (code, signal) => {
      const output = Buffer.concat(chunks).toString();
      const seconds = (performance.now() - started) / 1000;
      resolve({ code: code ?? (signal ? 130 : 1), output, seconds });
    });
  });
}

/** The compile cache makes every further start of the TypeScript sources cheap. */
function environment(): NodeJS.ProcessEnv {
  const bin = join(root, "node_modules", ".bin");
  return {
    ...process.env,
    PATH: `${bin}:${process.env.PATH ?? ""}`,
    NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "compile"),
  };
}

export function seconds(value: number): string {
  return `${value.toFixed(1)} s`;
}
