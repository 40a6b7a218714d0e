import assert from "node:assert/strict";
import { test } from "node:test";
import type { CommandIo } from "../command.ts";
import { createProgressPrinter, type ProgressLine } from "./progress-printer.ts";

function show(terminal: boolean, ...states: readonly (readonly ProgressLine[])[]): string {
  let text = "";
  const io: CommandIo = {
    write: () => assert.fail("progress is no output"),
    writeError: (chunk) => {
      text += chunk;
    },
    readInput: async () => "",
    ...(terminal && { terminal: { columns: () => 40 } }),
    env: { NO_COLOR: "1" },
  };
  const printer = createProgressPrinter(io);
  for (const lines of states) printer.show(lines);
  printer.end();
  return text;
}

const line = (name: string, state: ProgressLine["judgement"]["state"], text: string) => ({
  name,
  judgement: { state, text },
});

test("where nobody watches there is a line for each change", () => {
  const text = show(
    false,
    [line("a", "waiting", "Installing"), line("b", "waiting", "Waiting")],
    [line("a", "done", "ready"), line("b", "waiting", "Waiting")],
    [line("a", "done", "ready"), line("b", "done", "ready")],
  );
  assert.equal(text, "a: Installing\nb: Waiting\na: ready\nb: ready\n");
});

test("where nobody watches nothing is cut, as what somebody should do comes last", () => {
  const story = `NamespaceClash: ${"a long story ".repeat(40)};\n  let only one of them name it`;
  assert.equal(
    show(false, [line("a", "waiting", story)]),
    `a: NamespaceClash: ${"a long story ".repeat(40)}; let only one of them name it\n`,
  );
});

test("at a terminal lines are drawn anew, and never wrapped", () => {
  const text = show(
    true,
    [line("a", "waiting", "x".repeat(100)), line("b", "waiting", "y")],
    [line("a", "done", "ready"), line("b", "failed", "no")],
  );
  const [drawn = "", anew = ""] = text.split("\u001b[2A");
  assert.ok(
    drawn.split("\n").every((one) => one.replace("\u001b[J", "").length <= 40),
    drawn,
  );
  assert.equal(anew, "\u001b[J✓ a ready\n✗ b no\n");
});
