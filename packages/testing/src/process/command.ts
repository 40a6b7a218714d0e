import { execFile } from "node:child_process";
import { CommandFailedError } from "../errors.ts";

export interface CommandOptions {
  readonly stdin?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly signal?: AbortSignal;
}

/** Runs a command of the machine to its end and returns what it printed, or throws what it said. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  const { stdin, ...rest } = options;
  return new Promise((resolve, reject) => {
    const settings = { ...rest, maxBuffer: 256 * 1024 * 1024 };
    const child = execFile(command, args, settings, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const exitCode = typeof error.code === "number" ? { exitCode: error.code } : {};
      const said = stderr || error.message;
      reject(
        new CommandFailedError(`${command} ${args.join(" ")}`, {
          ...exitCode,
          stderr: said,
          cause: error,
        }),
      );
    });
    child.stdin?.on("error", () => {});
    child.stdin?.end(stdin ?? "");
  });
}
