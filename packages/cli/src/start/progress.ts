import type { CommandIo } from "../command.ts";
import { painter } from "../output/colours.ts";
import { cutLine, LiveLines } from "../progress/live-lines.ts";
import type { Progress, Readiness } from "./bring-up.ts";
import type { Part } from "./part.ts";

export interface PartState {
  readonly part: Part;
  readonly is: Readiness;
  /** What the part waits for, or what it lacks. */
  readonly why: string;
}

interface State extends PartState {
  is: Readiness;
  why: string;
  seconds: number;
}

export interface ShownProgress extends Progress, Disposable {
  /** The last report of all parts. */
  states(): readonly PartState[];
  /** The parts that are not ready. */
  coming(): readonly PartState[];
  /** Whether all of these wait for a program that this machine builds. */
  onlyPrepares(): boolean;
  /** Keeps the drawn lines; from now on each part that becomes ready is a new line. */
  settle(): void;
}

const drawPauseMs = 100;
const repeatPauseMs = 30_000;

/**
 * Prints the progress of parts: at a terminal one line for each, which changes; elsewhere a line when a
 * part is ready, and from time to time one for each part that is not.
 */
export function showProgress(
  parts: readonly Part[],
  io: CommandIo,
  since: number,
  everyMs = repeatPauseMs,
): ShownProgress {
  const states = parts.map((part): State => ({ part, is: "coming", why: "", seconds: 0 }));
  const isOpen = ({ is }: State) => is === "coming" || is === "preparing";
  const print = (state: State) => io.write(`${plainLine(state)}\n`);
  const live = new LiveLines((io.unfiltered ?? io).write);
  const draw = () => live.draw(linesOf(states, io));
  let isLive = io.terminal !== undefined;
  if (isLive) draw();
  const timer = isLive
    ? setInterval(draw, drawPauseMs)
    : setInterval(() => states.filter(isOpen).map(print), everyMs);
  const settle = () => {
    clearInterval(timer);
    if (isLive) draw();
    isLive = false;
  };
  return {
    report: (part, is, why = "") => {
      const seconds = (performance.now() - since) / 1000;
      const known = states.find((one) => one.part === part);
      const state: State = Object.assign(known ?? { part }, { is, why, seconds });
      if (!known) states.push(state);
      if (!isLive && !isOpen(state)) print(state);
    },
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
    : `waits  ${title}: ${oneLine(why)}`;
}

function linesOf(states: readonly State[], io: CommandIo): readonly string[] {
  const paint = painter(io);
  const width = Math.max(...states.map(({ part }) => titleOf(part).length));
  const columns = io.terminal?.columns() ?? 80;
  return states.map(({ part, is, seconds, why }) => {
    const title = titleOf(part).padEnd(width);
    if (is === "ready") return `${paint("green", "✔")} ${title}  ${seconds.toFixed(1)} s`;
    const mark = is === "missing" ? paint("yellow", "!") : paint("cyan", "…");
    const shown = cutLine(oneLine(why), columns - width - 5);
    return `${mark} ${title}  ${paint("dim", shown)}`;
  });
}

function titleOf({ name, what }: Part): string {
  return `${name}, ${what}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
