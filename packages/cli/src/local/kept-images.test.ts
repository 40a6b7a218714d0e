import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTemporaryFolder } from "@rookery/testing";
import { createImagePrograms } from "./image-programs.ts";
import { keepImages, keptImages } from "./kept-images.ts";

describe("what a user says of images", () => {
  it("is kept with the data, and the last word counts", async () => {
    await using folder = await createTemporaryFolder("kept-images");
    assert.deepEqual(keptImages(folder.path), {});
    keepImages(folder.path, { web: "/bin/web", "example.com/a/db:2": "/bin/db" });
    keepImages(folder.path, { web: "/bin/other" });
    assert.deepEqual(keptImages(folder.path), {
      web: "/bin/other",
      "example.com/a/db:2": "/bin/db",
    });
  });

  it("is heard by a node that runs already", async () => {
    await using folder = await createTemporaryFolder("kept-images");
    const images = createImagePrograms({ env: {}, programs: () => keptImages(folder.path) });
    assert.equal(await images.programOf("example.com/web:1"), undefined);
    keepImages(folder.path, { web: "/bin/web" });
    assert.deepEqual((await images.programOf("example.com/web:1"))?.entrypoint, ["/bin/web"]);
  });
});
