import { basename, isAbsolute, join } from "node:path";
import type { ImageProgram } from "./images.ts";

/**
 * A command as this machine has it: a path such as "/manager", which images have and the machine does
 * not, means the program of that name in the image's own folders.
 */
export function imageCommand(
  command: readonly string[],
  { path = [] }: Pick<ImageProgram, "path">,
  isProgram: (file: string) => boolean,
): readonly string[] {
  const [program = "", ...args] = command;
  if (!isAbsolute(program) || isProgram(program)) return command;
  const found = path.map((folder) => join(folder, basename(program))).find(isProgram);
  return found === undefined ? command : [found, ...args];
}
