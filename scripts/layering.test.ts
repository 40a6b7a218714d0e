import assert from "node:assert/strict";
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { root, run } from "./steps.ts";

type Files = Readonly<Record<string, string>>;

const refused: Readonly<Record<string, { files: Files; rule: string }>> = {
  "a lower layer imports a higher one": {
    files: { "packages/kube/src/a.ts": 'import { compose } from "@rookery/http";\ncompose;\n' },
    rule: "noUndeclaredDependencies",
  },
  "product code imports the test harness": {
    files: {
      "packages/schema/src/a.ts":
        'import { startKubernetes } from "@rookery/testing";\nstartKubernetes;\n',
    },
    rule: "noUndeclaredDependencies",
  },
  "a package reaches past another's index": {
    files: { "packages/schema/src/a.ts": 'import { x } from "@rookery/kube/src/x.ts";\nx;\n' },
    rule: "noRestrictedImports",
  },
  "a package reaches another by a relative path": {
    files: { "packages/schema/src/a.ts": 'import { x } from "../../kube/src/x.ts";\nx;\n' },
    rule: "noRestrictedImports",
  },
  "a test of a package reaches the sources of another": {
    files: {
      "packages/schema/test/cel/a.ts": 'import { x } from "../../../kube/src/x.ts";\nx;\n',
    },
    rule: "noRestrictedImports",
  },
  "two files import each other": {
    files: {
      "packages/kube/src/a.ts": 'import { b } from "./b.ts";\nexport const a = () => b;\n',
      "packages/kube/src/b.ts": 'import { a } from "./a.ts";\nexport const b = () => a;\n',
    },
    rule: "noImportCycles",
  },
};

const allowed: Readonly<Record<string, Files>> = {
  "a file below test/ imports the sources of its own package": {
    "packages/schema/test/cel/a.ts": 'import { x } from "../../src/x.ts";\n\nexport const a = x;\n',
  },
  "a package imports what its package.json names": {
    "packages/schema/src/a.ts": 'import { x } from "@rookery/kube";\n\nexport const a = x;\n',
  },
  "a test imports the harness": {
    "packages/schema/src/a.test.ts":
      'import { startKubernetes } from "@rookery/testing";\n\nexport const a = startKubernetes;\n',
  },
};

describe("layering", { concurrency: true }, () => {
  for (const [sentence, { files, rule }] of Object.entries(refused)) {
    it(`refuses that ${sentence}`, async () => {
      const { code, output } = await lint(files);
      assert.notEqual(code, 0, output);
      assert.match(output, new RegExp(rule));
    });
  }
  for (const [sentence, files] of Object.entries(allowed)) {
    it(`lets pass that ${sentence}`, async () => {
      const { code, output } = await lint(files);
      assert.equal(code, 0, output);
    });
  }
});

/** Lints the files in a copy of the workspace that has its settings and manifests, and no sources. */
async function lint(files: Files): Promise<{ code: number; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), "rookery-layering-"));
  try {
    const settings = ["biome.json", ".gitignore", "package.json"];
    for (const file of [...settings, ...globSync("packages/*/package.json", { cwd: root })]) {
      cpSync(join(root, file), join(folder, file));
    }
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    return await run(["biome", "lint", ...Object.keys(files)], { cwd: folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
