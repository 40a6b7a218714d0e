import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";
import { rookeryImage } from "./rookery-image.ts";

const dockerfile = readFileSync(new URL("../../../../Dockerfile", import.meta.url), "utf8");

function instructions(name: string): string[] {
  return [...dockerfile.matchAll(new RegExp(`^${name} (.*)$`, "gm"))].map(([, text = ""]) => text);
}

it("the image without Docker is the one of the Dockerfile", {
  skip: process.platform !== "linux",
}, async () => {
  const { entries, entrypoint, env = {}, user, workingDir } = await rookeryImage();
  assert.deepEqual(instructions("ENTRYPOINT"), [JSON.stringify(entrypoint).replace(",", ", ")]);
  assert.deepEqual(instructions("USER"), [user]);
  assert.deepEqual(instructions("WORKDIR"), [workingDir]);
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  assert.deepEqual(instructions("ENV"), variables);
  const [, copied = ""] =
    instructions("COPY")
      .map((text) => text.split(" "))
      .find(([from]) => from === "packages/cli/dist") ?? [];
  const launcher = `${copied}/rookery.cjs`.slice(1);
  assert.ok(
    entries.some(({ path }) => path === launcher),
    launcher,
  );
  for (const path of [
    "lib/main.js",
    "files/embedded-apiserver/src/generated/go-types.json",
    "package.json",
  ]) {
    assert.ok(
      entries.some((entry) => entry.path === `app/${path}`),
      path,
    );
  }
});
