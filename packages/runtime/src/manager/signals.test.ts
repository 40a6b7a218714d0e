import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { describe, it } from "node:test";
import { setupSignalHandler } from "./signals.ts";

class FakeProcess extends EventEmitter {
  readonly exits: number[] = [];

  exit(code: number): void {
    this.exits.push(code);
  }
}

describe("the signal handler", () => {
  for (const name of ["SIGTERM", "SIGINT"]) {
    it(`asks the process to end at the first ${name}, and ends it at the second`, () => {
      const target = new FakeProcess();
      const signal = setupSignalHandler(target);
      assert.equal(signal.aborted, false);
      target.emit(name);
      assert.equal(signal.aborted, true);
      assert.deepEqual(target.exits, []);
      target.emit(name);
      assert.deepEqual(target.exits, [1]);
    });
  }
});
