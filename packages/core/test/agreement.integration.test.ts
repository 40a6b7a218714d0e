import { after, before, describe, it } from "node:test";
import { clusterApiManager, whyUnavailable } from "@rookery/testing";
import { CoreWorld } from "./core-world.ts";
import { stories } from "./stories.ts";
import { agree } from "./story.ts";

const skip = await whyUnavailable(clusterApiManager);

/**
 * Objects have to be the same at every milestone, but for what `normalized` leaves out. Ours has the
 * rights of its installation: they have to be enough for all that it does.
 */
describe("Cluster API's real core and ours", { skip, concurrency: true }, () => {
  const stack = new AsyncDisposableStack();
  let worlds: Readonly<Record<"real" | "own", CoreWorld>>;

  before(async () => {
    const [real, own] = await Promise.all([
      CoreWorld.start("real").then((world) => stack.use(world)),
      CoreWorld.start("own").then((world) => stack.use(world)),
    ]);
    worlds = { real, own };
  });
  after(() => stack.disposeAsync());

  for (const [name, story] of Object.entries(stories)) {
    it(`agree on ${name}`, () => agree(story, name, worlds));
  }
});
