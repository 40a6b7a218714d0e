import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Metafile } from "esbuild";
import type { TarEntry } from "../tar.ts";
import { asNodeLoads, filesFolder } from "./as-node-loads.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const packages = join(root, "packages");
const command = join(packages, "cli");

export type BundleFile = Extract<TarEntry, { readonly content: Uint8Array | string }>;

/** Splits the code, so that each command loads only its own modules. */
const options = {
  entryPoints: { main: join(command, "src", "main.ts") },
  outdir: "lib",
  chunkNames: "[name]-[hash]",
  splitting: true,
  bundle: true,
  // A quarter less code to read at each start. Names stay, and lines are short enough for stack traces.
  minifyWhitespace: true,
  lineLimit: 160,
  format: "esm",
  platform: "node",
  target: "node24",
  // Bundled CommonJS packages require Node's modules.
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
  plugins: [asNodeLoads(packages)],
  absWorkingDir: root,
  logLevel: "silent",
  metafile: true,
  write: false,
} as const satisfies BuildOptions;

/**
 * The files of the published npm package, which has no dependencies. The build uses no network, and is
 * reproducible.
 */
export async function bundleCommand(): Promise<readonly BundleFile[]> {
  const { outputFiles, metafile } = await build(options);
  const inputs = Object.keys(metafile.inputs);
  return [
    ...outputFiles.map(({ path, text }) => ({ path: relative(root, path), content: text })),
    ...(await launchers()),
    ...(await filesOf(metafile)),
    { path: "package.json", content: await manifest() },
    { path: "LICENSE", content: await readFile(join(root, "LICENSE"), "utf8") },
    { path: "README.md", content: await readFile(join(root, "README.md"), "utf8") },
    { path: "THIRD_PARTY_LICENSES", content: await licencesOf(root, inputs) },
  ];
}

function launchers(): Promise<BundleFile[]> {
  const folder = join(command, "launcher");
  return Promise.all(
    filesBelow(folder).map(async (file) => {
      const content = await readFile(file, "utf8");
      return { path: relative(folder, file), content, mode: 0o755 };
    }),
  );
}

/** The files that sources of bundled packages read at run time. */
function filesOf({ inputs }: Metafile): Promise<BundleFile[]> {
  const used = Object.keys(inputs).map((input) => /^packages\/([^/]+)\/src\//.exec(input)?.[1]);
  const files = [...new Set(used)]
    .flatMap((name) => (name === undefined ? [] : filesToPublish(join(packages, name))))
    .filter((file) => !/\.m?ts$|\.mjs$/.test(file) && !file.includes("/testdata/"))
    .filter((file) => inputs[relative(root, file)] === undefined);
  return Promise.all(
    files.map(async (file) => {
      const path = join(filesFolder, relative(packages, file));
      return { path, content: await readFile(file) };
    }),
  );
}

/** The published files of a package: its sources, and the files of its manifest. */
function filesToPublish(folder: string): string[] {
  const text = readFileSync(join(folder, "package.json"), "utf8");
  const { files = ["src"] } = JSON.parse(text) as { readonly files?: readonly string[] };
  return files.flatMap((file) => filesBelow(join(folder, file)));
}

async function manifest(): Promise<string> {
  const { name, version, description, license } = JSON.parse(
    await readFile(join(command, "package.json"), "utf8"),
  ) as Readonly<Record<string, string>>;
  const launched = filesBelow(join(command, "launcher")).map((file) => basename(file, ".cjs"));
  const bin = Object.fromEntries(launched.map((program) => [program, `${program}.cjs`]));
  const engines = { node: ">=24" };
  const content = { name, version, description, license, type: "module", bin, engines };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

/** The licences of bundled packages, which must be published with their code. */
async function licencesOf(root: string, files: readonly string[]): Promise<string> {
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

/** All files of a folder but those of node_modules, sorted. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const items = readdirSync(folder, { withFileTypes: true });
  return items
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((item) => {
      const path = join(folder, item.name);
      if (item.isDirectory()) return item.name === "node_modules" ? [] : filesBelow(path);
      return item.isFile() ? [path] : [];
    });
}

/** Bundles the command into a folder, whose content is replaced. */
export async function writeBundle(folder: string): Promise<readonly BundleFile[]> {
  const files = await bundleCommand();
  await rm(folder, { recursive: true, force: true });
  for (const { path, content, mode = 0o644 } of files) {
    const file = join(folder, path);
    await makeReadable(folder, dirname(path));
    await writeFile(file, content);
    // Independent of the umask, as an image runs as another user.
    await chmod(file, mode);
  }
  return files;
}

async function makeReadable(root: string, path: string): Promise<void> {
  if (path !== ".") await makeReadable(root, dirname(path));
  const folder = join(root, path);
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
}
