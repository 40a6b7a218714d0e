import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { imageTag } from "./defaults.ts";

const digest = `sha256:${"a".repeat(64)}`;

describe("the tag of an image", () => {
  const rows: Record<string, [image: string, tag: string]> = {
    "is the one that is named": ["nginx:1.27", "1.27"],
    "is latest where none is named": ["example.com:5000/a/b", "latest"],
    "is none where there is a digest": [`nginx@${digest}`, ""],
    "is that before a digest": [`nginx:1.27@${digest}`, "1.27"],
    "is none where the name is none": ["Not Good", ""],
    "is latest for a name as long as may be": [`example.com/${"x".repeat(255)}`, "latest"],
    "is none where the name is longer": [`example.com/${"x".repeat(256)}`, ""],
    "counts the folder that a short name stands in": ["x".repeat(248), ""],
  };
  for (const [name, [image, tag]] of Object.entries(rows)) {
    it(name, () => assert.equal(imageTag(image), tag));
  }
});
