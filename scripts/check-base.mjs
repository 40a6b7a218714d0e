// Run by the Dockerfile, on the Node of the base: an image that is published names its base by a digest.
import { writeFileSync } from "node:fs";

const { BASE = "", PUBLISH = "", OUTPUT = "/tmp/base" } = process.env;
const isPinned = /^[^\s@]+@sha256:[0-9a-f]{64}$/.test(BASE);

if (PUBLISH !== "" && PUBLISH !== "0" && !isPinned) {
  console.error(
    `could not publish an image on the base "${BASE}": a tag can be moved to other content; ` +
      "name it by its digest: --build-arg BASE=<image>@sha256:<digest>",
  );
  process.exit(1);
}
writeFileSync(OUTPUT, `${BASE}\n`);
