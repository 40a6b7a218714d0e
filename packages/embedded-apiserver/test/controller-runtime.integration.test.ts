import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ensureGoProgram, startKubernetes, whyUnavailable } from "@rookery/testing";
import { tellFlockStory } from "./managers/flock-story.ts";
import { ManagerWorld, managerModule } from "./managers/manager-world.ts";

const skip = await whyUnavailable(() => ensureGoProgram(managerModule));

describe("managers of controller-runtime", { skip }, () => {
  it("fare on the embedded server as they do on a real one", async () => {
    const program = await ensureGoProgram(managerModule);
    const tell = async (flavour: { flavour?: "embedded" }) => {
      await using kubernetes = await startKubernetes(flavour);
      await using world = await ManagerWorld.start(kubernetes, program);
      return await tellFlockStory(world);
    };
    const [real, own] = await Promise.all([tell({}), tell({ flavour: "embedded" })]);
    assert.deepEqual(own, real);
  });
});
