import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { PhaseError } from "../errors.ts";
import { checkPins } from "./variables.ts";

describe("a Secret of variables", () => {
  const installed = { secret: "variables", hash: "1" };
  it("is taken as the provider was installed with it", () => {
    checkPins(installed, [installed, undefined]);
    checkPins(undefined, [installed]);
  });
  it("is taken under another name, with anything in it", () => {
    checkPins({ secret: "others", hash: "2" }, [installed]);
  });
  it("is refused where somebody has changed it, with the way out", () => {
    const changed = { secret: "variables", hash: "2" };
    for (const known of [
      [installed, undefined],
      [undefined, installed],
    ]) {
      assert.throws(
        () => checkPins(changed, known),
        (error) => error instanceof PhaseError && /make another Secret/.test(error.message),
      );
    }
  });
});
