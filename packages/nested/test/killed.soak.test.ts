import { after, before, describe } from "node:test";
import { itSurvivesDeaths, olderComponents, shapeOf } from "./killed-managers.ts";
import { NestedWorld, worldUnavailable } from "./nested-world.ts";

describe("a manager that is killed at each of its writes", {
  skip: await worldUnavailable(),
}, () => {
  const stack = new AsyncDisposableStack();
  let world: NestedWorld;

  before(async () => {
    world = stack.use(await NestedWorld.start());
  });
  after(() => stack.disposeAsync());

  itSurvivesDeaths({
    world: () => world,
    lastWrites: [1],
    undisturbed: async () => {
      const whole = await world.tenant("whole", "tenant");
      await whole.create({ components: olderComponents });
      await using _ = await world.startManager();
      await whole.isUp();
      const shape = shapeOf(await world.inventory("whole"));
      await whole.remove();
      return shape;
    },
  });
});
