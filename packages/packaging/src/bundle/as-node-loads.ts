import { readFile } from "node:fs/promises";
import { dirname, relative } from "node:path";
import type { Plugin } from "esbuild";

/** The folder in the bundle for files that code reads, with their paths below packages/. */
export const filesFolder = "files";

/**
 * Lets sources find in the bundle the files beside them, and the exports of lazily imported CommonJS
 * packages.
 */
export function asNodeLoads(packages: string): Plugin {
  return {
    name: "as-node-loads",
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, "utf8");
        const contents = withPlace(withExports(text), relative(packages, path));
        return { contents, loader: "ts" };
      });
    },
  };
}

/** Replaces `import.meta` by the module's path below `files/`, which is next to the folder of the code. */
export function withPlace(text: string, source: string): string {
  const url = (path: string) =>
    `new URL(${JSON.stringify(`../${filesFolder}/${path}`)}, import.meta.url)`;
  const path = (place: string) =>
    `process.getBuiltinModule("node:url").fileURLToPath(${url(place)})`;
  return text.replaceAll(/\bimport\.meta\.(url|dirname|filename)\b/g, (_, what: string) => {
    if (what === "url") return `${url(source)}.href`;
    return path(what === "dirname" ? dirname(source) : source);
  });
}

/** esbuild gives a lazily imported CommonJS module as `default` alone; Node names its exports too. */
export function withExports(text: string): string {
  return text.replaceAll(
    /(?<!typeof )\bimport\("(?!node:|@rookery\/|\.)[^"]+"\)(?!\.[A-Z])/g,
    (call) => `${call}.then((module) => ({ ...module.default, ...module }))`,
  );
}
