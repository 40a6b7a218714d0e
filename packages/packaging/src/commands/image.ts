/**
 * `npm run image [-- --name image:tag]`: the image of Rookery as an archive, without Docker, from the Node of
 * package-lock.json and the Debian packages of debian-packages.json: the same sources give the same bytes.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  createTemporaryFolder,
  rookeryImage,
  UnavailableError,
  writeImage,
} from "@rookery/testing";
import { root } from "../../../../scripts/steps.ts";

const manifest = readFileSync(join(root, "packages", "cli", "package.json"), "utf8");
const { version } = JSON.parse(manifest) as { readonly version: string };
const { values } = parseArgs({
  options: { name: { type: "string", default: `rookery:${version}` } },
});
const folder = join(root, "dist");
const file = join(folder, `rookery-image-${process.arch}.tar`);

try {
  await using unpacked = await createTemporaryFolder("libraries");
  const image = await rookeryImage({ ...values, lockedIn: { folder: unpacked.path } });
  mkdirSync(folder, { recursive: true });
  await writeImage(image, file);
  console.log(`${file}: ${values.name}, an OCI archive that docker, podman and ctr load too`);
  console.log(`sha256:${createHash("sha256").update(readFileSync(file)).digest("hex")}`);
} catch (error) {
  if (!(error instanceof UnavailableError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
