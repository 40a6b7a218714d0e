import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { parseProviderFlags } from "@rookery/runtime";
import { type OperatorFlagValues, operatorFlags, readSettings } from "./flags.ts";

function flags(...args: readonly string[]): OperatorFlagValues {
  const parsed = parseProviderFlags(args, operatorFlags);
  assert.ok(!parsed.help);
  return parsed;
}

describe("the settings of the operator", () => {
  it("are those of the file, of the flags over it, and of the environment over both", async () => {
    const folder = await mkdtemp(join(tmpdir(), "rookery-settings-"));
    try {
      const file = join(folder, "clusterctl.yaml");
      await writeFile(file, "A: file\nB: file\nimages: {all: {repository: a.example, tag: v1}}\n");
      await writeFile(join(folder, "ca.crt"), "PEM");
      const { imageOverrides, environment, downloader, image } = await readSettings(
        flags(
          `--config=${file}`,
          `--fetch-ca-file=${join(folder, "ca.crt")}`,
          "--image-override=all.tag=v2",
          "--image-override=infrastructure-aws/manager.name=capa",
          "--image=rookery:1",
        ),
        { B: "environment", HTTPS_PROXY: "http://proxy:3128", NO_PROXY: "internal.example" },
      );
      assert.deepEqual(imageOverrides, {
        all: { repository: "a.example", tag: "v2" },
        "infrastructure-aws/manager": { name: "capa" },
      });
      assert.deepEqual([environment?.A, environment?.B], ["file", "environment"]);
      assert.equal(downloader?.ca, "PEM");
      assert.equal(downloader?.proxy?.("https://github.com"), "http://proxy:3128");
      assert.equal(downloader?.proxy?.("https://internal.example"), undefined);
      assert.equal(image, "rookery:1");
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("need no file", async () => {
    const { imageOverrides, downloader } = await readSettings(
      flags("--config=/nowhere/clusterctl.yaml", "--fetch-ca-file=/nowhere/ca.crt"),
      {},
    );
    assert.deepEqual(imageOverrides, {});
    assert.equal(downloader?.ca, undefined);
  });

  it("refuse an override that names no part of an image", () => {
    assert.throws(
      () => parseProviderFlags(["--image-override=all=registry.example.com"], operatorFlags),
      {
        code: "Flags",
        message:
          /--image-override=all=registry\.example\.com: it must be <component>\.<part>=<value>/,
      },
    );
  });
});
