import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { runCommand } from "../process/command.ts";
import { createTemporaryFolder } from "../process/temporary-folder.ts";
import { writeImage } from "./image.ts";
import { rookeryImage } from "./rookery-image.ts";

const canChroot = process.platform === "linux" && process.getuid?.() === 0;

test("the image runs the workspace's packages with nothing of this machine", {
  skip: !canChroot,
}, async () => {
  await using folder = await createTemporaryFolder("rookery-image");
  const main = {
    path: "main.ts",
    content: `import { contextKey } from "@rookery/http";
const key: string = contextKey("nest").name;
console.log(key);
`,
  };
  await writeImage(
    await rookeryImage({ files: [main], main: "main.ts" }),
    join(folder.path, "image.tar"),
  );
  const rootfs = join(folder.path, "rootfs");
  await mkdir(rootfs);
  await chmod(folder.path, 0o755);
  await runCommand("tar", ["-xf", join(folder.path, "image.tar"), "-C", folder.path]);
  await runCommand("tar", ["-xpf", join(folder.path, "layer.tar"), "-C", rootfs]);
  const ran = spawnSync(
    "/usr/sbin/chroot",
    ["--userspec=65532:65532", rootfs, "/usr/local/bin/node", "/app/main.ts"],
    { encoding: "utf8", env: {} },
  );
  assert.equal(ran.stderr, "");
  assert.equal(ran.stdout, "nest\n");
});
