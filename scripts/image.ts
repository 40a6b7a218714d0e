/** `npm run image [-- --name image:tag]`: the image of Rookery as an archive, without Docker. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { rookeryImage, UnavailableError, writeImage } from "@rookery/testing";
import { root } from "./steps.ts";

const manifest = readFileSync(join(root, "packages", "cli", "package.json"), "utf8");
const { version } = JSON.parse(manifest) as { readonly version: string };
const { values } = parseArgs({
  options: { name: { type: "string", default: `rookery:${version}` } },
});
const folder = join(root, "dist");
const file = join(folder, `rookery-image-${process.arch}.tar`);

try {
  const image = await rookeryImage(values);
  mkdirSync(folder, { recursive: true });
  await writeImage(image, file);
  console.log(`${file}: ${values.name}, an OCI archive that docker, podman and ctr load too`);
} catch (error) {
  if (!(error instanceof UnavailableError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
