import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { FakeTime } from "../test/fake-time.ts";
import { delay, systemTime } from "./timekeeper.ts";

describe("delay", () => {
  it("resolves when the time has passed, or rejects as soon as nobody waits any more", async () => {
    const time = new FakeTime();
    const controller = new AbortController();
    let done = false;
    const passed = delay(time, 100, controller.signal).then(() => {
      done = true;
    });
    await time.pass(99);
    assert(!done);
    await time.pass(1);
    await passed;

    const given = delay(time, 100, controller.signal);
    controller.abort(new Error("given up"));
    await assert.rejects(given, /given up/);
    await assert.rejects(delay(time, 100, controller.signal), /given up/);
    assert.equal(time.pending, 0);
  });

  it("of the system waits that long", async () => {
    const started = performance.now();
    await delay(systemTime, 20, new AbortController().signal);
    assert(performance.now() - started > 15);
  });
});

describe("a weak timer", () => {
  it("does not keep the process running", async () => {
    const script = `import { systemTime } from ${JSON.stringify(import.meta.resolve("./timekeeper.ts"))};
      systemTime.after(600_000, () => {}, { weak: true });`;
    const args = ["--input-type=module-typescript", "--eval", script];
    await promisify(execFile)(process.execPath, args, { timeout: 60_000 });
  });
});
