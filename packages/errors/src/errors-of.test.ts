import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { defineError } from "./define-error.ts";
import { type ErrorsOf, errorGuard } from "./errors-of.ts";

class EggError extends defineError("Egg", (eggs: number) => ({ message: "an egg", eggs })) {}
class NestError extends defineError("Nest") {}

const module = { EggError, NestError, nests: 3, hatch: () => undefined };
const isOwnError = errorGuard(module);

/** Compiles only because the switch has a case for each code. */
function describeOwn(error: ErrorsOf<typeof module>): string {
  switch (error.code) {
    case "Egg":
      return `${error.eggs} eggs`;
    case "Nest":
      return "a nest";
  }
}

describe("errorGuard", () => {
  it("accepts the errors that a module exports, and subclasses of them", () => {
    class SmallNestError extends NestError {}
    assert.deepEqual(
      [new EggError(2), new NestError("no"), new SmallNestError("no")].map(isOwnError),
      [true, true, true],
    );
  });

  it("rejects every other value", () => {
    assert.deepEqual([new Error("no"), "EggError", undefined].map(isOwnError), [
      false,
      false,
      false,
    ]);
  });

  it("narrows to a union whose codes a switch can exhaust", () => {
    const caught: unknown = new EggError(2);
    assert.equal(isOwnError(caught) && describeOwn(caught), "2 eggs");
  });
});
