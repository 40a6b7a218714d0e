import assert from "node:assert/strict";
import { test } from "node:test";
import type { Body, Sink } from "@rookery/http";
import { bodyLines } from "./body-lines.ts";

const bytes = (text: string) => Buffer.from(text);

async function linesOf(body: Body): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of bodyLines(body)) lines.push(line);
  return lines;
}

const bodies: Record<string, Body> = {
  bytes: bytes("a\nö\nb"),
  "chunks, also ones that end within a letter": [
    bytes("a\n\u00f6").subarray(0, 3),
    bytes("\u00f6").subarray(1),
    bytes("\nb"),
  ],
  "a writer": (sink: Sink) => {
    for (const text of ["a", "\nö\n", "b"]) sink.write(bytes(text));
  },
};
for (const [sentence, body] of Object.entries(bodies)) {
  test(`lines are read from ${sentence}`, async () => {
    assert.deepEqual(await linesOf(body), ["a", "ö", "b"]);
  });
}

test("a body that breaks off is an error after its lines", async () => {
  const lines = bodyLines((sink) => {
    sink.write(bytes("a\n"));
    return Promise.reject(new Error("cut"));
  });
  assert.deepEqual(await lines.next(), { done: false, value: "a" });
  await assert.rejects(lines.next(), /cut/);
});

test("leaving the loop stops the writer", async () => {
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const body = (sink: Sink) => {
    sink.signal.addEventListener("abort", () => resolve());
    sink.write(bytes("a\nb\n"));
    return stopped;
  };
  for await (const line of bodyLines(body)) {
    assert.equal(line, "a");
    break;
  }
  await stopped;
});
