import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { makeFolder } from "./make-folder.ts";

test("a folder is made with those above it, and found where it is there", (t) => {
  const root = mkdtempSync(join(tmpdir(), "rookery-make-folder-"));
  t.after(() => rmSync(root, { recursive: true }));
  const folder = join(root, "a", "b");
  makeFolder(folder, { mode: 0o700 });
  makeFolder(folder, { mode: 0o700 });
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  writeFileSync(join(root, "file"), "");
  assert.throws(() => makeFolder(join(root, "file")), { code: "EEXIST" });
  assert.throws(() => makeFolder(join(root, "file", "a")), { code: "ENOTDIR" });
});

test("where no folder can be, that is said at once", { skip: process.platform !== "linux" }, () => {
  assert.throws(() => makeFolder("/proc/rookery/data"), {
    code: "ENOENT",
    message: "nothing can be made in /proc, which is no file system for data",
  });
});
