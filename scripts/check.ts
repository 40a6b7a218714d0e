/** `npm run check`: everything that can be known about the sources without running the product. */
import { run, seconds } from "./steps.ts";

interface Check {
  readonly name: string;
  readonly command: readonly string[];
  readonly wayOut: string;
}

const checks: readonly Check[] = [
  { name: "types", command: ["tsc"], wayOut: "tsc" },
  {
    name: "types in a browser",
    command: ["tsc", "-p", "packages/kube/tsconfig.browser.json"],
    wayOut: "packages/kube must not use what only Node has",
  },
  {
    name: "lint, format, layering, import cycles",
    command: ["biome", "ci", "--colors=off", "--error-on-warnings", "."],
    wayOut: "npm run format mends what can be mended by itself",
  },
  {
    name: "unused exports",
    command: ["knip", "--no-config-hints"],
    wayOut: "delete what nobody uses",
  },
  {
    name: "files that only tests import",
    command: ["knip", "--no-config-hints", "--production", "--include", "files"],
    wayOut: "move them below test/ of their package, or delete them",
  },
  {
    name: "folders",
    command: ["node", "scripts/folders/check.ts"],
    wayOut: "see CONTRIBUTING.md, Folders",
  },
  {
    name: "generated files",
    command: ["node", "scripts/generate.ts", "--check"],
    wayOut: "npm run generate",
  },
  {
    name: "lock file",
    command: [
      "npm",
      "ci",
      "--dry-run",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
    ],
    wayOut: "npm install, then commit package-lock.json",
  },
];

let failed = 0;
for (const check of checks) {
  const outcome = await run(check.command);
  const mark = outcome.code === 0 ? "ok  " : "FAIL";
  console.log(`${mark} ${check.name} (${seconds(outcome.seconds)})`);
  if (outcome.code === 0) continue;
  failed += 1;
  console.log(`${outcome.output.trimEnd()}\n     way out: ${check.wayOut}\n`);
}
console.log(failed === 0 ? "check: all good" : `check: ${failed} of ${checks.length} failed`);
process.exitCode = failed === 0 ? 0 : 1;
