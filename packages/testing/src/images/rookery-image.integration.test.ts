import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmod, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { runCommand } from "../process/command.ts";
import { createTemporaryFolder } from "../process/temporary-folder.ts";
import { type Image, writeImage } from "./image.ts";
import { rookeryImage, workspaceImage } from "./rookery-image.ts";

const canChroot = process.platform === "linux" && process.getuid?.() === 0;

/** What the image prints with these arguments, as its user, with nothing of this machine around it. */
async function printedBy(image: Image, ...args: readonly string[]): Promise<string> {
  await using folder = await createTemporaryFolder("rookery-image");
  await writeImage(image, join(folder.path, "image.tar"));
  const rootfs = join(folder.path, "rootfs");
  await mkdir(rootfs);
  await chmod(folder.path, 0o755);
  await runCommand("tar", ["-xf", join(folder.path, "image.tar"), "-C", folder.path]);
  const [manifest] = JSON.parse(await readFile(join(folder.path, "manifest.json"), "utf8"));
  await runCommand("tar", ["-xpf", join(folder.path, manifest.Layers[0]), "-C", rootfs]);
  const ran = spawnSync(
    "/usr/sbin/chroot",
    [`--userspec=${image.user}`, rootfs, ...image.entrypoint, ...args],
    { encoding: "utf8", env: { ...image.env } },
  );
  assert.equal(ran.stderr, "");
  return ran.stdout;
}

test("the image runs the command with nothing of this machine", { skip: !canChroot }, async () => {
  const image = await rookeryImage();
  assert.match(await printedBy(image, "crds"), /^kind: CustomResourceDefinition$/m);
});

test("an image of the workspace runs its packages", { skip: !canChroot }, async () => {
  const main = {
    path: "main.ts",
    content: `import { contextKey } from "@rookery/http";
const key: string = contextKey("nest").name;
console.log(key);
`,
  };
  const image = await workspaceImage({ name: "nest:test", files: [main], main: main.path });
  assert.equal(await printedBy(image), "nest\n");
});
