import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { isExecutable } from "./mount-mode.ts";

const program = "/usr/bin/script";

/** Whether commands can have a terminal: by util-linux's `script`, because Node has none. */
export function hasTerminals(): boolean {
  return process.platform === "linux" && isExecutable(program);
}

/** A command on a terminal of its own, whose name it writes to a file. */
export function onTerminal(command: readonly string[], nameFile: string): readonly string[] {
  const inside = ["/bin/sh", "-c", 'tty > "$1"; shift; exec "$@"', "sh", nameFile, ...command];
  return [program, "-qefc", inside.map(quoted).join(" "), "/dev/null"];
}

/** Sets the size of the terminal, which notifies its processes. */
export async function resizeTerminal(
  nameFile: string,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): Promise<void> {
  const name = (await readFile(nameFile, "utf8").catch(() => "")).trim();
  if (!name.startsWith("/dev/")) return;
  const size = ["cols", `${columns}`, "rows", `${rows}`];
  spawn("stty", ["-F", name, ...size], { stdio: "ignore" }).on("error", () => {});
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
