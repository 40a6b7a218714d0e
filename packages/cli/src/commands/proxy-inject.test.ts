import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { run } from "../../test/run.ts";

const input = "kind: PriorityClass\napiVersion: scheduling.k8s.io/v1\nmetadata: {name: b}\n";
const inject = (...args: readonly string[]) => run(["proxy", "inject", ...args], { input });

describe("rookery proxy inject", () => {
  const flags = ["--map=a.example.com=b.example.com", "--name=team1", "--namespace=team1"];

  it("prints what it renders from files and from its input", async () => {
    const folder = await mkdtemp(join(tmpdir(), "rookery-inject-"));
    try {
      const file = join(folder, "app.yaml");
      await writeFile(file, "# kept\napiVersion: a.example.com/v1\nkind: A\nmetadata: {name: a}\n");
      const { code, output } = await inject("-f", file, "-f", "-", ...flags);
      assert.equal(code, 0);
      assert.match(output, /^# kept\napiVersion: b.example.com\/v1\n/);
      assert.match(output, /name: b-team1/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("tells what is wrong with its arguments, by exit code 2", async () => {
    const { code, output, errors } = await inject("-f", "-");
    assert.deepEqual([code, output], [2, ""]);
    assert.match(errors, /--name: say what the instance is called/);
    assert.match(errors, /"rookery proxy inject --help" says what it takes/);
  });

  it("tells what cannot be rendered, by exit code 1", async () => {
    const { code, output, errors } = await inject("-f", "/no/such/file", ...flags);
    assert.deepEqual([code, output], [1, ""]);
    assert.match(errors, /^rookery: could not use \/no\/such\/file: ENOENT/);
  });
});
