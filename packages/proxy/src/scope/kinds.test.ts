import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ApiResources, Discovery } from "@rookery/client";
import { silentLogger } from "@rookery/runtime";
import { FakeClock } from "@rookery/testing";
import { createKinds } from "./kinds.ts";

const widgets = { group: "example.com", version: "v1", resource: "widgets" };

function resources(namespaced: boolean): ApiResources {
  const { resource: plural, ...rest } = widgets;
  const widget = { ...rest, plural, singular: "widget", kind: "Widget", namespaced };
  return { groups: [], resources: [widget], failed: new Map() };
}

/** Kinds over a discovery that answers what it is told, and counts. */
function setup(answer: () => ApiResources) {
  const asked = { times: 0 };
  const discovery: Discovery = {
    async discover() {
      asked.times++;
      return answer();
    },
  };
  const clock = new FakeClock();
  return { asked, clock, kinds: createKinds({ discovery, clock, logger: silentLogger }) };
}

describe("whether a kind is namespaced", () => {
  it("is asked for once, however many want to know", async () => {
    const { kinds, asked } = setup(() => resources(true));
    const answers = await Promise.all([kinds.scopeOf(widgets), kinds.scopeOf(widgets)]);
    assert.deepEqual([...answers, await kinds.scopeOf(widgets)], Array(3).fill("namespaced"));
    assert.equal(asked.times, 1);
  });

  it("is asked for anew after a while, as a definition may be made anew", async () => {
    let namespaced = false;
    const { kinds, clock } = setup(() => resources(namespaced));
    assert.equal(await kinds.scopeOf(widgets), "cluster");
    namespaced = true;
    assert.equal(await kinds.scopeOf(widgets), "cluster");
    await clock.advance(31_000);
    assert.equal(await kinds.scopeOf(widgets), "namespaced");
  });

  it("is asked for at once where the kind is new, and not over and over", async () => {
    let known = false;
    const { kinds, clock, asked } = setup(() =>
      known ? resources(true) : { groups: [], resources: [], failed: new Map() },
    );
    assert.equal(await kinds.scopeOf(widgets), "unknown");
    known = true;
    assert.equal(await kinds.scopeOf(widgets), "unknown");
    assert.equal(asked.times, 1);
    await clock.advance(1_001);
    assert.equal(await kinds.scopeOf(widgets), "namespaced");
  });

  it("is waited for where the kind is new and a moment may tell", async () => {
    let known = false;
    const { kinds, clock } = setup(() =>
      known ? resources(true) : { groups: [], resources: [], failed: new Map() },
    );
    assert.equal(await kinds.scopeOf(widgets), "unknown");
    known = true;
    const settled = kinds.settledScopeOf(widgets);
    await new Promise(setImmediate);
    await clock.advance(1_001);
    assert.equal(await settled, "namespaced");
    assert.equal(await kinds.settledScopeOf(widgets), "namespaced");
  });

  it("is not known where the server does not say", async () => {
    const { kinds } = setup(() => {
      throw new Error("down");
    });
    assert.equal(await kinds.scopeOf(widgets), "unknown");
  });
});
