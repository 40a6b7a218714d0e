import type { CommandIo } from "../command.ts";
import { painter } from "../output/colours.ts";
import { printable } from "../output/printable.ts";
import type { Progress } from "./bring-up.ts";
import type { Part } from "./part.ts";

interface State {
  readonly part: Part;
  is: "coming" | "ready" | "missing";
  why: string;
  seconds: number;
}

interface Told {
  readonly part: Part;
  readonly why: string;
}

export interface ShownProgress extends Progress, Disposable {
  /** What is not ready, with the last that was heard of it. */
  coming(): readonly Told[];
  /** What is declared only. */
  missed(): readonly Told[];
}

const redrawMs = 100;

/**
 * Tells of parts as they come: on a terminal by one line each, which change; elsewhere by a line when
 * one is there.
 */
export function showProgress(parts: readonly Part[], io: CommandIo, since: number): ShownProgress {
  const states = parts.map((part): State => ({ part, is: "coming", why: "", seconds: 0 }));
  const live = io.terminal && liveLines(() => linesOf(states, io), io);
  const change = (part: Part, to: Partial<State>) => {
    const state = states.find((one) => one.part === part);
    if (!state) return;
    Object.assign(state, to, { seconds: (performance.now() - since) / 1000 });
    if (!live && to.is) io.write(`${plainLine(state)}\n`);
  };
  return {
    waits: (part, why) => change(part, { why }),
    ready: (part) => change(part, { is: "ready" }),
    missing: (part, why) => change(part, { is: "missing", why }),
    coming: () => states.filter(({ is }) => is === "coming"),
    missed: () => states.filter(({ is }) => is === "missing"),
    [Symbol.dispose]: () => live?.[Symbol.dispose](),
  };
}

function plainLine({ part, is, seconds, why }: State): string {
  const title = titleOf(part);
  return is === "missing"
    ? `waits  ${title}: ${why}`
    : `ready  ${title}, after ${seconds.toFixed(1)} s`;
}

function linesOf(states: readonly State[], io: CommandIo): readonly string[] {
  const paint = painter(io);
  const width = Math.max(...states.map(({ part }) => titleOf(part).length));
  const columns = io.terminal?.columns() ?? 80;
  return states.map(({ part, is, seconds, why }) => {
    const title = titleOf(part).padEnd(width);
    if (is === "ready") return `${paint("green", "✔")} ${title}  ${seconds.toFixed(1)} s`;
    const mark = is === "missing" ? paint("yellow", "!") : paint("cyan", "…");
    return `${mark} ${title}  ${paint("dim", oneLine(why, columns - width - 5))}`;
  });
}

function titleOf({ name, what }: Part): string {
  return `${name}, ${what}`;
}

function oneLine(text: string, room: number): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length <= room ? line : `${line.slice(0, Math.max(0, room - 1))}…`;
}

/** Draws lines over themselves until it is disposed of; the last drawing stays. */
function liveLines(lines: () => readonly string[], io: CommandIo): Disposable {
  const { write } = io.unfiltered ?? io;
  let height = 0;
  const draw = () => {
    const drawn = lines();
    const up = height > 0 ? `\u001b[${height}A` : "";
    write(up + drawn.map((line) => `\u001b[2K${printable(line)}\n`).join(""));
    height = drawn.length;
  };
  draw();
  const timer = setInterval(draw, redrawMs);
  let isOver = false;
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      if (!isOver) draw();
      isOver = true;
    },
  };
}
