import assert from "node:assert/strict";
import { test } from "node:test";
import { operatorVersion } from "@rookery/operator";
import { nextOperatorImage, operatorImage } from "./operator-image.ts";

test("the operator's image is this version's, with what the configuration overrides", () => {
  assert.equal(operatorImage({}), `rookery:${operatorVersion}`);
  assert.equal(
    operatorImage({ all: { repository: "mirror.example.com/x/" } }),
    `mirror.example.com/x/rookery:${operatorVersion}`,
  );
  const images = {
    all: { repository: "mirror.example.com" },
    "rookery-operator": { tag: "v9", repository: "own.example.com" },
    "rookery-operator/rookery": { name: "mine" },
  };
  assert.equal(operatorImage(images), "own.example.com/mine:v9");
});

const mirror = "registry.example.com:5000/team/rookery";
const older = "0.0.0-alpha";

for (const [sentence, installed, next] of [
  [
    "its registry and path",
    { image: `${mirror}:${older}`, version: older },
    `${mirror}:${operatorVersion}`,
  ],
  [
    "an image that has the version of this command already",
    { image: `${mirror}:${operatorVersion}`, version: older },
    `${mirror}:${operatorVersion}`,
  ],
  [
    "its registry where only the tag tells the version",
    { image: `${mirror}:${older}`, version: undefined },
    `${mirror}:${operatorVersion}`,
  ],
  [
    "any image where the version stays",
    { image: `${mirror}:main`, version: operatorVersion },
    `${mirror}:main`,
  ],
] as const) {
  test(`an operator that is upgraded keeps ${sentence}`, () => {
    assert.equal(nextOperatorImage(installed, { images: {} }), next);
  });
}

test("the image of an upgrade is that of the flag, else that of the configuration", () => {
  const installed = { image: `${mirror}:main`, version: older };
  const images = { "rookery-operator": { repository: "own.example.com" } };
  assert.equal(nextOperatorImage(installed, { images, image: "x/y:z" }), "x/y:z");
  assert.equal(
    nextOperatorImage(installed, { images }),
    `own.example.com/rookery:${operatorVersion}`,
  );
});

for (const image of [
  `${mirror}:main`,
  `${mirror}@sha256:abc`,
  `${mirror}:${older}@sha256:abc`,
  mirror,
]) {
  test(`${image} is replaced only by an image that the user names`, () => {
    assert.throws(
      () => nextOperatorImage({ image, version: older }, { images: {} }),
      /whose tag is not its version \(0\.0\.0-alpha\); "rookery upgrade operator --image <image>"/,
    );
  });
}
