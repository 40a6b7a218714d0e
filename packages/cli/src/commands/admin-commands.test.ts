import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { run } from "../../test/run.ts";

const commands = [
  ...["init", "init list-images", "upgrade plan", "upgrade apply", "upgrade operator"],
  ...["delete", "config repositories"],
];

describe("the commands of an admin", () => {
  for (const command of commands) {
    it(`rookery ${command} says what it does, with examples`, async () => {
      const { code, output } = await run(`${command} --help`);
      assert.equal(code, 0);
      assert.match(output, new RegExp(`^Usage: rookery ${command} \\[options\\]\\n`));
      assert.match(output, new RegExp(`\nExamples:\n  rookery ${command}`));
    });
  }

  it("refuse arguments that they do not take", async () => {
    const wrong = [
      ...[
        "init aws",
        "init --wait-timeout soon",
        "init -i aws:2",
        "init list-images -o yaml",
        "delete",
        "delete --all --core a",
      ],
      ...[
        "upgrade plan now",
        "upgrade apply --contract v1beta2 -i aws",
        "config repositories -o wide",
      ],
    ];
    for (const args of wrong) {
      const { code, errors } = await run(args, { env: { HOME: "/nowhere" } });
      assert.equal(code, 2, `${args}: ${errors}`);
    }
  });

  it("list where providers come from, with those of the configuration file", async () => {
    const { output } = await run("config repositories", { env: { HOME: "/nowhere" } });
    const lines = output.split("\n");
    assert.match(lines[0] ?? "", /^NAME +TYPE +URL +FILE$/);
    assert.match(
      lines[1] ?? "",
      /^cluster-api +CoreProvider +https:.*\/latest\/ +core-components\.yaml$/,
    );
    const { output: yaml } = await run("config repositories -o yaml", {
      env: { HOME: "/nowhere" },
    });
    assert.match(yaml, /^- Name: cluster-api\n {2}Type: CoreProvider\n {2}URL: https:/);
  });
});
