import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Programs by the names of images. */
export type NamedPrograms = Readonly<Record<string, string>>;

/** It has one file for each image, so that two commands can write at the same time. */
const imageFolder = "images";

/** Stores the programs of images with the data, so that pods of these images can be started again. */
export function keepImages(data: string, programs: NamedPrograms): void {
  const folder = join(data, imageFolder);
  for (const [name, path] of Object.entries(programs)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, encodeURIComponent(name));
    writeFileSync(`${file}${unfinished}`, path);
    renameSync(`${file}${unfinished}`, file);
  }
}

/** An encoded name never ends with it. */
const unfinished = "%new";

export function keptImages(data: string): NamedPrograms {
  const folder = join(data, imageFolder);
  const names = namesIn(folder).filter((name) => !name.endsWith(unfinished));
  return Object.fromEntries(
    names.map((name) => [decodeURIComponent(name), readFileSync(join(folder, name), "utf8")]),
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
