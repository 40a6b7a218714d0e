import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { imageCommand } from "./image-command.ts";

const there = ["/bin/sh", "/opt/core/manager", "/opt/core/sh", "/opt/more/tool"];
const commandOf = (...command: readonly string[]) =>
  imageCommand(command, { path: ["/opt/core", "/opt/more"] }, (file) => there.includes(file));

describe("a command of a container", () => {
  it("at a path that only the image has is the image's program of that name", () => {
    assert.deepEqual(commandOf("/manager", "--leader-elect"), [
      "/opt/core/manager",
      "--leader-elect",
    ]);
    assert.deepEqual(commandOf("/usr/local/bin/tool"), ["/opt/more/tool"]);
  });

  it("stays what it is where the machine has it, where nobody has it, and where it is a bare name", () => {
    assert.deepEqual(commandOf("/bin/sh", "-c", "true"), ["/bin/sh", "-c", "true"]);
    assert.deepEqual(commandOf("/none"), ["/none"]);
    assert.deepEqual(commandOf("manager"), ["manager"]);
    assert.deepEqual(commandOf(), []);
  });
});
