import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The file by which Node runs this very command: in a clone its source, else the bundle's launcher. */
export function mainFile(): string {
  const source = fileURLToPath(new URL("../main.ts", import.meta.url));
  if (existsSync(source)) return source;
  // Launchers lie side by side; npm links to them from elsewhere.
  const started = realpathSync(process.argv[1] ?? process.execPath);
  return join(dirname(started), "rookery.cjs");
}
