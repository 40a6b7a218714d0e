import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createTemporaryFolder } from "@rookery/testing";
import { run } from "../../test/run.ts";

/** What is offered for the last word, and what else a shell may do. */
async function offered(...words: readonly string[]) {
  const { code, output, errors } = await run(["__complete", ...words], {
    env: { HOME: "/nowhere" },
  });
  assert.deepEqual([code, errors], [0, ""]);
  const lines = output.trimEnd().split("\n");
  const directive = lines.pop();
  return { names: lines.map((line) => line.split("\t")[0]), directive };
}

describe("completion", () => {
  const rows: Readonly<
    Record<string, readonly [words: readonly string[], names: readonly string[]]>
  > = {
    "commands by their first letters": [["lo"], ["login", "local"]],
    "second words": [
      ["local", "s"],
      ["status", "serve"],
    ],
    "what help can be asked for": [["help", "local", "re"], ["reset"]],
    "flags of a command": [
      ["move", "--to-"],
      ["--to-kubeconfig", "--to-kubeconfig-context", "--to-directory"],
    ],
    "flags of a program that reads its own": [
      ["manager", "core", "--leader-elect-r"],
      ["--leader-elect-renew-deadline", "--leader-elect-retry-period"],
    ],
    "each flag once": [["move", "--dry-run", "--dr"], []],
    "values of a flag": [
      ["move", "-o", ""],
      ["json", "text", "yaml"],
    ],
    "values of a flag behind an equals sign": [["move", "--output=j"], ["--output=json"]],
    "values of an argument": [["completion", "z"], ["zsh"]],
    "no flags behind a double dash": [["completion", "--", "b"], ["bash"]],
    "nothing for what there is no list of": [["local", "up", "--port", ""], []],
    "nothing for what is no command": [["fly", ""], []],
  };
  for (const [sentence, [words, names]] of Object.entries(rows)) {
    it(`offers ${sentence}`, async () => {
      assert.deepEqual(await offered(...words), { names, directive: ":4" });
    });
  }

  it("leaves files and folders to the shell", async () => {
    assert.deepEqual(await offered("move", "--kubeconfig", "/t"), { names: [], directive: ":0" });
    assert.deepEqual(await offered("move", "--to-directory="), { names: [], directive: ":16" });
  });

  it("offers contexts of the kubeconfig that was named before", async () => {
    await using folder = await createTemporaryFolder("completion");
    const file = join(folder.path, "kubeconfig");
    const context = { cluster: "a", user: "a" };
    const contexts = ["blue", "green"].map((name) => ({ name, context }));
    writeFileSync(file, JSON.stringify({ apiVersion: "v1", kind: "Config", contexts }));
    const { names } = await offered("move", "--kubeconfig", file, "--context", "");
    assert.deepEqual(names, ["blue", "green"]);
    const target = await offered("move", `--to-kubeconfig=${file}`, "--to-kubeconfig-context=g");
    assert.deepEqual(target.names, ["--to-kubeconfig-context=green"]);
  });

  it("is silent where no cluster answers", async () => {
    assert.deepEqual(await offered("move", "-n", ""), { names: [], directive: ":4" });
  });
});
