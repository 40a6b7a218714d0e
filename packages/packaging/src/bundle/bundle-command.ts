import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Metafile } from "esbuild";
import type { TarEntry } from "../tar.ts";
import { asNodeLoads, filesFolder } from "./as-node-loads.ts";
import { filesBelow } from "./files-below.ts";
import { licencesOf } from "./licences.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const packages = join(root, "packages");
const command = join(packages, "cli");

export type BundleFile = Extract<TarEntry, { readonly content: Uint8Array | string }>;

/** One folder of code: what a command needs is imported by it alone, so the others cost nothing. */
const options = {
  entryPoints: { main: join(command, "src", "main.ts") },
  outdir: "lib",
  chunkNames: "[name]-[hash]",
  splitting: true,
  bundle: true,
  // A quarter less to read at each start. Names stay, and lines are short enough to be found in a trace.
  minifyWhitespace: true,
  lineLimit: 160,
  format: "esm",
  platform: "node",
  target: "node24",
  // What was written for CommonJS asks for Node's own modules by this.
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
 * The published form of the `rookery` command: an npm package without dependencies, as files. Needs
 * no network, and the same sources give the same bytes.
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

/** What the sources of the bundled packages read at run time, and did not import. */
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

/** What a package says that it is made of: its sources, and whatever else it reads. */
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
