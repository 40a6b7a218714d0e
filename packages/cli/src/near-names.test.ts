import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createTemporaryFolder } from "@rookery/testing";
import { run } from "../test/run.ts";

describe("a name that is nearly a known one is suggested", () => {
  const rows: Record<string, [args: string, meant: string]> = {
    "a command": ["get tenats", 'Did you mean "rookery get tenants"'],
    "a flag": ["version --ouptut json", "Did you mean --output"],
    "a provider whose images are listed": ["init list-images -i vshpere", "did you mean vsphere"],
    "a provider whose components are printed": [
      "generate provider -i vshpere",
      "did you mean vsphere",
    ],
  };
  for (const [sentence, [args, meant]] of Object.entries(rows)) {
    it(sentence, async () => {
      const { code, errors } = await run(args);
      assert.notEqual(code, 0);
      assert.ok(errors.includes(`${meant}?`), errors);
    });
  }

  it("a flavor of a release in a folder", async () => {
    await using folder = await createTemporaryFolder("flavors");
    const release = join(folder.path, "infrastructure-small/v1.0.0");
    await mkdir(release, { recursive: true });
    await writeFile(join(release, "cluster-template-light.yaml"), "kind: X\nmetadata: {name: a}\n");
    const url = join(release, "infrastructure-components.yaml");
    const config = join(folder.path, "config.yaml");
    const provider = `{name: small, type: InfrastructureProvider, url: ${url}}`;
    await writeFile(config, `providers: [${provider}]\n`);
    const args = `generate cluster prod -n team -i small:v1.0.0 --config=${config}`;
    const { code, errors } = await run(`${args} --flavor lihgt`);
    assert.equal(code, 1);
    assert.match(errors, /could not .*cluster-template-lihgt\.yaml.*; did you mean light\?/);
    assert.equal((await run(`${args} --flavor light`)).code, 0);
  });
});
