import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import {
  filesBelow,
  type Image,
  type NodeImageOptions,
  nodeImage,
  type TarEntry,
} from "@rookery/packaging";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

/**
 * An image of this workspace's packages as they are, for programs that only tests have. Throws
 * UnavailableError on systems whose Node a Linux pod cannot run.
 */
export function workspaceImage({ name, files, main }: NodeImageOptions): Promise<Image> {
  return nodeImage({
    name,
    files: [...workspaceFiles(root, ["packaging", "testing"]), ...files],
    main,
  });
}

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * The sources of a workspace's packages and the dependencies that they need to run, at the paths
 * where they lie. The packages are linked as npm links them: Node strips the types of a file only if
 * its real path is outside node_modules.
 */
function workspaceFiles(root: string, without: readonly string[]): TarEntry[] {
  const packages = readdirSync(join(root, "packages"))
    .filter((folder) => !without.includes(folder))
    .map((folder) => join(root, "packages", folder))
    .filter((folder) => existsSync(join(folder, "package.json")));
  const entry = (file: string): TarEntry => ({ path: relative(root, file), source: file });
  return [
    entry(join(root, "package.json")),
    ...packages.flatMap((folder) => packageFiles(folder).map(entry)),
    ...packages.map((folder) => linkTo(root, folder)),
    ...[...dependenciesOf(packages)].flatMap((folder) => filesBelow(folder).map(entry)),
  ];
}

function packageFiles(folder: string): string[] {
  const isSource = (file: string) => !/\.test\.ts$/.test(file);
  return [join(folder, "package.json"), ...filesBelow(join(folder, "src")).filter(isSource)];
}

function linkTo(root: string, folder: string): TarEntry {
  const path = join("node_modules", manifestOf(folder).name);
  return { path, link: relative(dirname(join(root, path)), folder) };
}

/** The folders of all packages that these need, and that those need in turn. */
function dependenciesOf(packages: readonly string[]): Set<string> {
  const own = new Set(packages.map((folder) => manifestOf(folder).name));
  const found = new Set<string>();
  const visit = (folder: string) => {
    const { dependencies, optionalDependencies } = manifestOf(folder);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const dependency = own.has(name) ? undefined : resolvePackage(name, folder);
      if (!dependency || found.has(dependency)) continue;
      found.add(dependency);
      visit(dependency);
    }
  };
  for (const folder of packages) visit(folder);
  return found;
}

/** Looks where Node looks: in the node_modules of each folder on the way up. */
function resolvePackage(name: string, from: string): string | undefined {
  const folder = join(from, "node_modules", name);
  if (existsSync(join(folder, "package.json"))) return folder;
  return dirname(from) === from ? undefined : resolvePackage(name, dirname(from));
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}
