import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { messageOf } from "@rookery/errors";
import type { KubeObject } from "@rookery/kube";
import { parseYamlValues } from "@rookery/yaml";
import { MoveError } from "../errors.ts";

/** The file name that clusterctl uses. */
function objectFile({ kind, metadata }: KubeObject): string {
  const file = `${kind}_${metadata.namespace ?? ""}_${metadata.name}.yaml`;
  if (basename(file) === file) return file;
  throw new MoveError(
    "InvalidInput",
    `could not write ${JSON.stringify(file)}: it is no file name`,
  );
}

/** Throws MoveError if the folder cannot be written, or everybody may write to it. */
export async function makeFolder(folder: string): Promise<void> {
  await withContext(`could not write to ${folder}`, async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { mode } = await stat(folder);
    if (process.platform === "win32" || (mode & 0o002) === 0) return;
    throw new Error(
      "everybody may write to it, and it is to hold Secrets; chmod o-w or name another",
    );
  });
}

/** Writes an object atomically, readable only for its user, because it may be a Secret. */
export async function writeObject(folder: string, object: KubeObject): Promise<void> {
  const file = join(folder, objectFile(object));
  await withContext(`could not write ${file}`, async () => {
    // An existing file would keep its mode, and a link would be followed.
    await rm(`${file}.new`, { force: true });
    await writeFile(`${file}.new`, JSON.stringify(object), { mode: 0o600, flag: "wx" });
    await rename(`${file}.new`, file);
  });
}

/** Reads all files of a folder. Throws MoveError. */
export async function readObjects(folder: string): Promise<readonly KubeObject[]> {
  const all = await withContext(`could not read ${folder}`, () => readdir(folder));
  const files = all.filter((file) => /\.(ya?ml|json)$/.test(file)).sort();
  const objects = await Promise.all(files.map((file) => readFileObjects(join(folder, file))));
  return objects.flat();
}

async function readFileObjects(file: string): Promise<readonly KubeObject[]> {
  return withContext(`could not read ${file}`, async () => {
    const objects = parseText(await readFile(file, "utf8"));
    for (const object of objects) {
      const { apiVersion, kind, metadata } = object as Partial<KubeObject>;
      if (apiVersion && kind && metadata?.name && metadata.uid) continue;
      throw new SyntaxError("it holds no object with apiVersion, kind, name and uid");
    }
    return objects;
  });
}

function parseText(text: string): readonly KubeObject[] {
  if (text.startsWith("{")) return [JSON.parse(text)];
  return parseYamlValues(text).filter((object): object is KubeObject => object !== null);
}

async function withContext<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new MoveError("InvalidInput", `${what}: ${messageOf(error)}`, { cause: error });
  }
}
