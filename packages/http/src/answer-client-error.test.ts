import assert from "node:assert/strict";
import { duplexPair } from "node:stream";
import { test } from "node:test";
import { answerClientError } from "./answer-client-error.ts";

test("what a client sends on after its answer does not take the answer from it", async () => {
  const [socket, client] = duplexPair();
  const overflow = Object.assign(new Error("too much"), { code: "HPE_HEADER_OVERFLOW" });
  answerClientError(overflow, socket);
  // Node:http tells of it with each piece.
  answerClientError(overflow, socket);
  assert.equal(socket.destroyed, false);
  let received = "";
  for await (const chunk of client) received += chunk;
  assert.match(received, /^HTTP\/1.1 431 .*\r\n\r\n431 Request Header Fields Too Large$/s);
  socket.destroy();
});
