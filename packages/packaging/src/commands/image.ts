/**
 * `npm run image [-- --name image:tag]`: the image of Rookery as an archive, without Docker, from the Node of
 * package-lock.json and the Debian packages of debian-packages.json: the same sources give the same bytes.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { UnavailableError } from "../errors.ts";
import { writeImage } from "../images/image.ts";
import { rookeryImage } from "../images/rookery-image.ts";

const root = join(import.meta.dirname, "../../../..");
const manifest = readFileSync(join(root, "packages", "cli", "package.json"), "utf8");
const { version } = JSON.parse(manifest) as { readonly version: string };
const { values } = parseArgs({
  options: { name: { type: "string", default: `rookery:${version}` } },
});
const folder = join(root, "dist");
const file = join(folder, `rookery-image-${process.arch}.tar`);

try {
  await using unpacked = await mkdtempDisposable(join(tmpdir(), "rookery-libraries-"));
  const image = await rookeryImage({ ...values, lockedIn: { folder: unpacked.path } });
  await mkdir(folder, { recursive: true });
  await writeImage(image, file);
  console.log(`${file}: ${values.name}, an OCI archive that docker, podman and ctr load too`);
  console.log(`sha256:${createHash("sha256").update(readFileSync(file)).digest("hex")}`);
} catch (error) {
  if (!(error instanceof UnavailableError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
