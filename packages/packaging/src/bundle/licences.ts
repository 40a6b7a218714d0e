import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The licences of the packages that files are from, which have to go along with their code. */
export async function licencesOf(root: string, files: readonly string[]): Promise<string> {
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []);
  const texts = [...new Set(folders)].toSorted().map((folder) => licenceOf(join(root, folder)));
  return (await Promise.all(texts)).join(`\n${"-".repeat(80)}\n\n`);
}

async function licenceOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(
    await readFile(join(folder, "package.json"), "utf8"),
  ) as Readonly<Record<string, string>>;
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  const texts = files.toSorted().map((file) => readFile(join(folder, file), "utf8"));
  return [`${name} ${version} (${license})\n`, ...(await Promise.all(texts))].join("\n");
}
