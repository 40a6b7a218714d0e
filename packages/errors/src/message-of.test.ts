import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { messageOf } from "./message-of.ts";

describe("messageOf", () => {
  it("is the message of an error", () => {
    assert.equal(messageOf(new TypeError("no nest")), "no nest");
  });

  it("is the text of whatever else was thrown", () => {
    assert.deepEqual([messageOf("no nest"), messageOf(undefined)], ["no nest", "undefined"]);
  });
});
