import assert from "node:assert/strict";
import { test } from "node:test";
import { formatImage, isImage, overrideImage, parseImage } from "./image.ts";

const digest = `sha256:${"0".repeat(64)}`;
const images: Record<string, readonly [string, string, string, string]> = {
  "registry.k8s.io/cluster-api/cluster-api-controller:v1.13.6": [
    "registry.k8s.io/cluster-api",
    "cluster-api-controller",
    "v1.13.6",
    "",
  ],
  "localhost:5000/a": ["localhost:5000", "a", "", ""],
  "localhost/a:b": ["localhost", "a", "b", ""],
  [`quay.io/a/b_c/d-e:t@${digest}`]: ["quay.io/a/b_c", "d-e", "t", digest],
  [`quay.io/a@${digest}`]: ["quay.io", "a", "", digest],
};
for (const [text, [repository, name, tag, expected]] of Object.entries(images)) {
  test(`${text} has its parts, and is put together again`, () => {
    assert.deepEqual(parseImage(text), { repository, name, tag, digest: expected });
    assert.equal(formatImage(parseImage(text)), text);
  });
}

for (const text of [
  "",
  "quay.io/Upper",
  "a:b:c",
  "a b",
  "quay.io/a:-x",
  "quay.io/a@sha256:1",
  "https://x/y",
]) {
  test(`${JSON.stringify(text)} is no image`, () => {
    assert.equal(isImage(text), false);
    assert.throws(() => parseImage(text), { code: "InvalidImage" });
  });
}

test("an image without a registry is one, but its parts cannot be replaced", () => {
  assert.ok(isImage("nginx:1") && isImage("library/nginx"));
  assert.throws(() => overrideImage("library/nginx:1", "x", { all: { tag: "2" } }), {
    message: 'could not read the image "library/nginx:1": it does not name its registry',
  });
  assert.equal(overrideImage("nginx:1", "x", {}), "nginx:1");
});
