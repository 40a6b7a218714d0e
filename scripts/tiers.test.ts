import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { root, run } from "./steps.ts";
import { testFiles } from "./tiers.ts";

interface Story {
  readonly source: string;
  readonly last: string;
  readonly code: number;
  /** Also the time in which a process has to start: long, unless the story is about it. */
  readonly hangSeconds?: number;
  /** Selects tests by a part of their names. */
  readonly testName?: string | undefined;
}

interface Settings extends Pick<Story, "testName"> {
  readonly isolation: string;
  readonly hangSeconds: number;
}

const unnamed: Settings = { isolation: "none", hangSeconds: 60 };

const stories: Readonly<Record<string, Story>> = {
  "counts what passed, failed and was skipped, each test once": {
    source: `
      describe("a suite", () => {
        it("passes", () => {});
        it("fails", () => { throw new Error("on purpose"); });
        it.skip("is skipped", () => {});
      });`,
    last: "1 passed, 1 failed, 1 skipped",
    code: 1,
  },
  "takes a file that does not load for a failure": {
    source: 'throw new Error("on purpose");',
    last: "0 passed, 1 failed",
    code: 1,
  },
  "takes a process that ends in the middle for a failure": {
    source: 'it("passes", () => {});\nit("never ends", () => process.exit(0));',
    last: "0 passed, 1 failed",
    code: 1,
  },
  "takes a test that hangs for a failure": {
    source: 'it("hangs", () => new Promise((resolve) => setTimeout(resolve, 60_000).unref()));',
    last: "0 passed, 1 failed",
    code: 1,
    hangSeconds: 2,
  },
  "is content when all passes": {
    source: 'it("passes", () => {});',
    last: "1 passed, 0 failed",
    code: 0,
  },
};

describe("a tier", { concurrency: true }, () => {
  for (const [sentence, story] of Object.entries(stories)) {
    for (const [where, isolation] of Object.entries({ together: "none", apart: "process" })) {
      it(`${sentence}, with files run ${where}`, async () => {
        const outcome = await runStory(story, isolation);
        assert.equal(outcome.output.trimEnd().split("\n").at(-1), story.last, outcome.output);
        assert.equal(outcome.code, story.code);
      });
    }
  }

  it("says what failed once more at its end", async () => {
    const passing = Array.from({ length: 9 }, (_, at) => `it("passes ${at}", () => {});`);
    const failing = 'it("fails", () => { throw new Error("on purpose"); });';
    const source = [failing, ...passing].join("\n");
    const { output } = await runStory({ source }, "process");
    const end = output.slice(output.indexOf("passes 8"));
    assert.match(end, /^FAIL .*: fails \(.*\n +Error: on purpose/m, output);
  });

  it("without a test file fails", async () => {
    const outcome = await runFiles([]);
    assert.match(outcome.output, /no test file found/);
    assert.equal(outcome.code, 1);
  });

  it("is told by the file's name alone", () => {
    assert.ok(testFiles("unit").includes("scripts/tiers.test.ts"));
    assert.ok(!testFiles("unit").some((file) => file.endsWith(".integration.test.ts")));
    assert.deepEqual(testFiles("unit", ["scripts/tiers"]), ["scripts/tiers.test.ts"]);
  });
});

const named: Readonly<Record<string, readonly [name: string, last: string, code: number]>> = {
  "runs the tests whose name contains it": ["is (well", "1 passed, 0 failed", 0],
  "takes the names of suites as the beginning of a name": [
    "a suite fails",
    "0 passed, 1 failed",
    1,
  ],
  "runs all tests of a suite": ["a suite", "1 passed, 1 failed, 1 skipped", 1],
  "fails where no test has it": ["is .well", 'FAIL no test has a name that contains "is .well"', 1],
};

describe("a part of a test's name", { concurrency: true }, () => {
  const source = `
    describe("a suite", () => {
      it("is (well)", () => {});
      it("fails", () => { throw new Error("on purpose"); });
      it.skip("is skipped", () => {});
    });`;
  for (const [sentence, [testName, last, code]] of Object.entries(named)) {
    for (const [where, isolation] of Object.entries({ together: "none", apart: "process" })) {
      it(`${sentence}, with files run ${where}`, async () => {
        const outcome = await runStory({ source, testName }, isolation);
        assert.equal(outcome.output.trimEnd().split("\n").at(-1), last, outcome.output);
        assert.equal(outcome.code, code);
      });
    }
  }
});

async function runStory(
  { source, hangSeconds = 60, testName }: Pick<Story, "source" | "hangSeconds" | "testName">,
  isolation: string,
) {
  const folder = mkdtempSync(join(tmpdir(), "rookery-tier-"));
  try {
    const file = join(folder, "story.test.ts");
    writeFileSync(file, `import { describe, it } from "node:test";\ndescribe;\n${source}\n`);
    const other = join(folder, "other.test.ts");
    writeFileSync(other, 'import { it } from "node:test";\nit("has another name", () => {});\n');
    const files = testName === undefined ? [file] : [file, other];
    return await runFiles(files, { isolation, hangSeconds, testName });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** In a process of its own, because a run of node:test inside another reports to the outer one. */
function runFiles(files: readonly string[], settings: Settings = unnamed) {
  const tiers = JSON.stringify(join(root, "scripts", "tiers.ts"));
  const tier = JSON.stringify({ name: "story", files, ...settings });
  const program = `
    import { closing, runTier } from ${tiers};
    process.exitCode = closing([await runTier(${tier})], [], ${JSON.stringify(settings.testName)});`;
  const env = { NODE_TEST_CONTEXT: undefined };
  return run(["node", "--input-type=module-typescript", "--eval", program], { env });
}
