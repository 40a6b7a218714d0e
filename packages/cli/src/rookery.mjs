#!/usr/bin/env node
// The command in a clone. A plain file comes first, so that the compile cache has all of the TypeScript:
// else Node loads its compiler for main.ts each time, which is half of what a short command takes.

const { version } = process;

if (Number.parseInt(version.slice(1), 10) >= 24) {
  // biome-ignore lint/correctness/useImportExtensions: a plain file, as this one is.
  const { enableCompileCache } = await import("./enable-compile-cache.mjs");
  enableCompileCache();
  await import("./main.ts");
} else {
  process.stderr.write(
    `rookery: could not start: it needs Node 24 or newer, and this is Node ${version}; ` +
      'start it by "npx rookery", which takes the Node that came with the clone\n',
  );
  process.exitCode = 1;
}
