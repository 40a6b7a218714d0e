import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { containerOf, runningStatus } from "../../test/pod.ts";
import { createdStatus } from "../pod/container-status.ts";
import { ReportedStatus } from "./reported-status.ts";

const created = createdStatus(containerOf("main"), {
  containerID: "rookery://1",
  imageID: "sh@1",
  restartCount: 0,
  lastState: {},
});
const terminated = { exitCode: 0, reason: "Completed" };

describe("what is told of a container", () => {
  it("is how it ended, where it is not replaced", () => {
    const told = new ReportedStatus(runningStatus("main"), () => {});
    told.ended({ created, terminated, isPlainInit: false, isReplaced: false });
    assert.equal(told.current.state?.terminated?.exitCode, 0);
    assert.equal(told.nextRestartCount, 1);
  });

  it("is that it runs until its other definition does, where it is replaced", () => {
    const told = new ReportedStatus(runningStatus("main"), () => {});
    told.ended({ created, terminated, isPlainInit: false, isReplaced: true });
    assert.deepEqual(told.current, runningStatus("main"));
    assert.equal(told.lastEnd?.containerID, "rookery://1");
    told.running({ ...created, restartCount: told.nextRestartCount }, "2026-01-01T00:00:00Z");
    assert.equal(told.current.restartCount, 1);
    assert.ok(told.current.state?.running);
  });

  it("is why the other definition does not run, with the end of the former one", () => {
    const told = new ReportedStatus(runningStatus("main"), () => {});
    told.ended({ created, terminated, isPlainInit: false, isReplaced: true });
    told.waiting("ErrImagePull", "there is none");
    assert.equal(told.current.state?.waiting?.reason, "ErrImagePull");
    assert.equal(told.current.lastState?.terminated?.exitCode, 0);
  });

  it("is how it ended, where the other definition never comes to run", () => {
    let changes = 0;
    const told = new ReportedStatus(runningStatus("main"), () => {
      changes += 1;
    });
    told.ended({ created, terminated, isPlainInit: false, isReplaced: true });
    told.isOver();
    assert.equal(told.current.state?.terminated?.exitCode, 0);
    assert.equal(changes, 2);
  });
});
