import assert from "node:assert/strict";
import { test } from "node:test";
import { operatorVersion } from "@rookery/operator";
import { operatorImage } from "./operator-image.ts";

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
