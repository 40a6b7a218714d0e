import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { changeProblem, controllerManagerProblem, isSameMinor } from "./skew.ts";

describe("a component goes from one version to another", () => {
  const rows: Record<string, [from: string, to: string, problem: RegExp | undefined]> = {
    "to a patch": ["v1.34.3", "v1.34.4", undefined],
    "back to a patch": ["v1.34.4", "v1.34.3", undefined],
    "to the next minor": ["v1.33.13", "v1.34.4", undefined],
    "but not over a minor": ["v1.32.13", "v1.34.4", /skips a minor version.*go to 1\.33 first/],
    "but not back over a minor": ["v1.34.4", "v1.33.13", /older minor version than v1\.34\.4/],
    "but not to another major": ["3.6.8", "4.0.0", /skips a minor/],
    "with or without a v": ["1.33.13", "v1.34.4", undefined],
    "from a pre-release": ["v1.34.0-rc.1", "v1.34.0", undefined],
  };
  for (const [name, [from, to, problem]] of Object.entries(rows)) {
    it(name, () => {
      const found = changeProblem(from, to);
      if (problem) assert.match(found ?? "", problem);
      else assert.equal(found, undefined);
    });
  }
});

describe("a controller manager runs beside an API server", () => {
  const rows: Record<string, [manager: string, server: string, problem: RegExp | undefined]> = {
    "of its version": ["v1.34.4", "v1.34.4", undefined],
    "one minor ahead": ["v1.33.13", "v1.34.4", undefined],
    "of a newer patch": ["v1.34.9", "v1.34.4", undefined],
    "but not two minors ahead": ["v1.32.13", "v1.34.4", /2 minor versions older/],
    "but not behind": ["v1.34.4", "v1.33.13", /newer than the API server/],
  };
  for (const [name, [manager, server, problem]] of Object.entries(rows)) {
    it(name, () => {
      const found = controllerManagerProblem(manager, server);
      if (problem) assert.match(found ?? "", problem);
      else assert.equal(found, undefined);
    });
  }
});

it("a patch is of the same minor, another minor is not", () => {
  assert.equal(isSameMinor("3.6.8", "v3.6.1"), true);
  assert.equal(isSameMinor("3.6.8", "3.5.21"), false);
  assert.equal(isSameMinor("3.6.8", "4.6.8"), false);
});
