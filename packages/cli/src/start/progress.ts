import type { CommandIo } from "../command.ts";
import { painter } from "../output/colours.ts";
import { printable } from "../output/printable.ts";
import type { Progress } from "./bring-up.ts";
import type { Part } from "./part.ts";

/** How far a part is; "missing" is declared only, as something that it needs can't be had here. */
export interface PartState {
  readonly part: Part;
  readonly is: "coming" | "preparing" | "ready" | "missing";
  /** What it waits for, or what is missing. */
  readonly why: string;
}

interface State extends PartState {
  is: PartState["is"];
  why: string;
  seconds: number;
}

export interface ShownProgress extends Progress, Disposable {
  /** All parts, with the last that was reported of each. */
  states(): readonly PartState[];
  /** Those that are not ready. */
  coming(): readonly PartState[];
  /** Of these, whether all wait for something that is made on this machine. */
  onlyPrepares(): boolean;
  /** What is drawn stays; from now on there is a line for each part that becomes ready. */
  settle(): void;
}

const redrawMs = 100;
const retellMs = 30_000;

/**
 * Tells of parts as they come: on a terminal by one line each, which change; elsewhere by a line when
 * one is there, and now and then one for each that something is waited for.
 */
export function showProgress(
  parts: readonly Part[],
  io: CommandIo,
  since: number,
  everyMs = retellMs,
): ShownProgress {
  const states = parts.map((part): State => ({ part, is: "coming", why: "", seconds: 0 }));
  const isOpen = ({ is }: State) => is === "coming" || is === "preparing";
  let shown: Disposable | undefined = io.terminal
    ? liveLines(() => linesOf(states, io), io)
    : retold(() => states.filter(isOpen), { io, everyMs });
  let isLive = io.terminal !== undefined;
  const change = (part: Part, to: Partial<State>) => {
    const known = states.find((one) => one.part === part);
    const state: State = known ?? { part, is: "coming", why: "", seconds: 0 };
    if (!known) states.push(state);
    Object.assign(state, to, { seconds: (performance.now() - since) / 1000 });
    if (!isLive && !isOpen(state)) io.write(`${plainLine(state)}\n`);
  };
  const settle = () => {
    shown?.[Symbol.dispose]();
    shown = undefined;
    isLive = false;
  };
  return {
    waits: (part, why) => change(part, { is: "coming", why }),
    prepares: (part, why) => change(part, { is: "preparing", why }),
    ready: (part) => change(part, { is: "ready" }),
    missing: (part, why) => change(part, { is: "missing", why }),
    states: () => states,
    coming: () => states.filter(isOpen),
    onlyPrepares: () => states.every(({ is }) => is !== "coming"),
    settle,
    [Symbol.dispose]: settle,
  };
}

function plainLine({ part, is, seconds, why }: State): string {
  const title = titleOf(part);
  return is === "ready"
    ? `ready  ${title}, after ${seconds.toFixed(1)} s`
    : `waits  ${title}: ${why.replaceAll(/\s+/g, " ")}`;
}

interface RetoldOptions {
  readonly io: CommandIo;
  readonly everyMs: number;
}

/** Tells again and again what is waited for, so that a log does not end in silence. */
function retold(open: () => readonly State[], { io, everyMs }: RetoldOptions): Disposable {
  const timer = setInterval(() => {
    for (const state of open()) io.write(`${plainLine(state)}\n`);
  }, everyMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
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
