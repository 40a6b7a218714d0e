import { open } from "node:fs/promises";
import type { CommandIo } from "../command.ts";
import { TemplateError } from "../errors.ts";

/** To the standard output, or to a file that only its owner can read: there may be credentials in it. */
export async function writeResult(
  io: CommandIo,
  text: string,
  file: string | undefined,
): Promise<void> {
  const path = file?.trim();
  if (!path || path === "-") return io.write(text);
  try {
    await using file = await open(path, "w", 0o600);
    // Also one that was there, with whatever mode.
    if ((await file.stat()).isFile()) await file.chmod(0o600);
    await file.writeFile(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new TemplateError(`${path} can't be written: ${why}`, cause);
  }
}
