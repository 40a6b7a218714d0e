import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface TemporaryFiles extends AsyncDisposable {
  readonly folder: string;
  path(name: string): string;
  /** Text, or an object that is written as JSON. */
  write(name: string, content: string | object): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Files in a folder of one test. */
export async function temporaryFiles(
  contents: Readonly<Record<string, string | object>> = {},
): Promise<TemporaryFiles> {
  const folder = await mkdtemp(join(tmpdir(), "rookery-client-"));
  const path = (name: string) => join(folder, name);
  const write = async (name: string, content: string | object) => {
    await mkdir(dirname(path(name)), { recursive: true });
    await writeFile(path(name), typeof content === "string" ? content : JSON.stringify(content));
  };
  for (const [name, content] of Object.entries(contents)) await write(name, content);
  return {
    folder,
    path,
    write,
    remove: (name) => rm(path(name)),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
