import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createTemporaryFolder } from "@rookery/testing";
import { makeBeneath } from "./beneath.ts";

describe("a place beneath a folder that somebody else writes", () => {
  const rows: Record<string, { links?: Record<string, string>; path: string; made?: string }> = {
    "is made with all folders above it": { path: "a/b/c", made: "base/a/b/c" },
    "is the folder itself": { path: ".", made: "base" },
    "follows a link that stays inside": { links: { in: "a" }, path: "in/b", made: "base/a/b" },
    "is refused where it goes up": { path: "a/../../outside/x" },
    "is refused behind a link that leads out": { links: { out: "../outside" }, path: "out/x" },
    "is refused behind an absolute link": { links: { out: "/OUTSIDE" }, path: "out/x" },
    "is refused behind a link that leads nowhere": { links: { out: "../later" }, path: "out/x" },
    "is refused where it is a link that leads out itself": {
      links: { out: "../outside" },
      path: "out",
    },
    "is refused behind a file": { path: "file/x" },
  };
  for (const [name, { links = {}, path, made }] of Object.entries(rows)) {
    it(name, async () => {
      await using folder = await createTemporaryFolder("beneath");
      const base = join(folder.path, "base");
      const outside = join(folder.path, "outside");
      await mkdir(join(base, "a"), { recursive: true });
      await mkdir(outside);
      await writeFile(join(base, "file"), "");
      for (const [link, to] of Object.entries(links)) {
        await symlink(to.replace("/OUTSIDE", outside), join(base, link));
      }
      const make = () => makeBeneath(base, path, { make: "folder" });
      if (made === undefined) assert.throws(make, { code: "NodeFailed" });
      else make();
      if (made !== undefined) assert.ok((await stat(join(folder.path, made))).isDirectory());
      assert.equal(existsSync(join(outside, "x")), false);
      assert.equal(existsSync(join(folder.path, "later")), false);
    });
  }

  it("is a file where one is wanted, with the modes that are asked for", async () => {
    await using folder = await createTemporaryFolder("beneath");
    makeBeneath(folder.path, "a/file", { make: "file", mode: 0o2770 });
    assert.ok((await stat(join(folder.path, "a/file"))).isFile());
    assert.equal((await stat(join(folder.path, "a"))).mode & 0o7777, 0o2770);
    makeBeneath(folder.path, "a/file", { make: "file" });
  });
});
