import { open } from "node:fs/promises";
import { messageOf } from "@rookery/errors";
import type { CommandIo } from "../command.ts";
import { TemplateError } from "../errors.ts";

/** Writes to the standard output, or to a file that only its owner can read, as it may contain credentials. */
export async function writeResult(
  io: CommandIo,
  text: string,
  file: string | undefined,
): Promise<void> {
  const path = file?.trim();
  if (!path || path === "-") return io.write(text);
  try {
    await using opened = await open(path, "w", 0o600);
    // An existing file keeps its mode otherwise.
    if ((await opened.stat()).isFile()) await opened.chmod(0o600);
    await opened.writeFile(text);
  } catch (cause) {
    const why = messageOf(cause);
    throw new TemplateError(`${path} can't be written: ${why}`, cause);
  }
}
