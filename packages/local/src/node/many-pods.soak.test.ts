import { test } from "node:test";
import { runsManyPods } from "./many-pods-fixture.ts";
import { NodeScene } from "./node-scene-fixture.ts";

test("a node runs two hundred pods at once", async () => {
  await using scene = await NodeScene.start({ flavour: "embedded", withoutNode: true });
  await runsManyPods(scene, 200);
});
