import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { it } from "node:test";
import { FakeClock } from "@rookery/testing";
import { createRecordingLogger } from "../../test/logging/recording-logger.ts";
import { createController } from "../controller/controller.ts";
import { done } from "../controller/result.ts";
import { createManager } from "./manager.ts";
import { setupSignalHandler } from "./signals.ts";

it("a SIGTERM in the middle of a reconcile lets it end in order, and begins no other", async () => {
  const log: string[] = [];
  const process = Object.assign(new EventEmitter(), { exit: () => assert.fail("not yet") });
  const clock = new FakeClock();
  const logger = createRecordingLogger();
  const lease = {
    async run(signal: AbortSignal, onStarted: () => void) {
      onStarted();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      log.push("lease released");
    },
  };
  const controller = createController({
    name: "test",
    clock,
    logger,
    sources: [
      {
        name: "test",
        start(queue) {
          queue.add({ name: "first" });
          queue.add({ name: "second" });
        },
      },
    ],
    reconcile: async ({ name }, signal) => {
      log.push(`begin ${name}`);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      log.push(`clean up ${name}`);
      return done;
    },
  });
  const manager = createManager({ leaderElection: lease, clock, logger });
  manager.add(controller);
  const ended = manager.start(setupSignalHandler(process));
  await clock.advance(1000);
  assert.deepEqual(log, ["begin first"]);
  process.emit("SIGTERM");
  await ended;
  assert.deepEqual(log, ["begin first", "clean up first", "lease released"]);
  assert.ok(logger.lines.every(({ level }) => level !== "error"));
  assert.equal(clock.timers, 0);
});
