import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { root } from "./steps.ts";

const digest = `sha256:${"ab".repeat(32)}`;

function check(env: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), "rookery-base-"));
  try {
    const OUTPUT = join(folder, "base");
    const script = join(root, "scripts", "check-base.mjs");
    const options = { env: { ...env, OUTPUT }, encoding: "utf8" } as const;
    const { status, stderr } = spawnSync(process.execPath, [script], options);
    return { status, stderr, written: status === 0 ? readFileSync(OUTPUT, "utf8") : "" };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("the base of an image that is published", () => {
  const refused: Record<string, string> = {
    "no base": "",
    "a tag": "gcr.io/distroless/nodejs24-debian13:nonroot",
    "a digest that is cut off": "gcr.io/base@sha256:abcd",
    "another hash": `gcr.io/base@md5:${"ab".repeat(16)}`,
    "something behind the digest": `gcr.io/base@${digest} AS other`,
  };
  for (const [what, BASE] of Object.entries(refused)) {
    it(`is refused with ${what}, and says what to do`, () => {
      const { status, stderr } = check({ BASE, PUBLISH: "1" });
      assert.equal(status, 1);
      assert.match(stderr, /could not publish an image on the base .*--build-arg BASE=/);
    });
  }

  it("may have a tag beside its digest, and is recorded", () => {
    const BASE = `gcr.io/base:tag@${digest}`;
    assert.deepEqual(check({ BASE, PUBLISH: "1" }), {
      status: 0,
      stderr: "",
      written: `${BASE}\n`,
    });
  });

  it("may be a tag in an image that stays on its machine", () => {
    assert.equal(check({ BASE: "gcr.io/base:tag" }).status, 0);
    assert.equal(check({ BASE: "gcr.io/base:tag", PUBLISH: "0" }).status, 0);
  });
});

describe("the Dockerfile", () => {
  const lines = readFileSync(join(root, "Dockerfile"), "utf8").split("\n");

  it("takes its base as an argument alone, and copies from the stage that checks it", () => {
    const bases = lines.filter((line) => line.startsWith("FROM "));
    assert.deepEqual(bases, [`FROM \${BASE} AS checked`, `FROM \${BASE}`]);
    const last = lines.lastIndexOf(`FROM \${BASE}`);
    assert.ok(lines.slice(last).some((line) => line.startsWith("COPY --from=checked ")));
    const ignored = readFileSync(join(root, ".dockerignore"), "utf8");
    assert.match(ignored, /^!scripts\/check-base\.mjs$/m);
  });
});
