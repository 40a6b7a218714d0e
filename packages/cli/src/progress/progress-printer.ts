import type { CommandIo } from "../command.ts";
import { type Paint, painter } from "../output/colours.ts";
import { printable } from "../output/printable.ts";
import type { Judgement } from "./judgement.ts";

/** One line of progress: what is waited for, and what is known of it. */
export interface ProgressLine {
  readonly name: string;
  readonly judgement: Judgement;
}

export interface ProgressPrinter {
  /** What is known now; may be called as often as one likes. */
  show(lines: readonly ProgressLine[]): void;
  /** Nothing more will be shown. */
  end(): void;
}

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/**
 * Shows progress: at a terminal as lines that are drawn anew, elsewhere as a line for each change. It
 * is written to the error output, so that what a command prints stays clean.
 */
export function createProgressPrinter(io: CommandIo): ProgressPrinter {
  return io.terminal && io.env.TERM !== "dumb" ? new DrawnProgress(io) : new LoggedProgress(io);
}

class LoggedProgress implements ProgressPrinter {
  readonly #io: CommandIo;
  readonly #last = new Map<string, string>();

  constructor(io: CommandIo) {
    this.#io = io;
  }

  show(lines: readonly ProgressLine[]): void {
    for (const { name, judgement } of lines) {
      // What somebody should do comes last: nothing is cut where no line has to fit.
      const text = judgement.text.replaceAll(/\s*\n\s*/g, " ");
      if (this.#last.get(name) === text) continue;
      this.#last.set(name, text);
      this.#io.writeError(`${name}: ${text}\n`);
    }
  }

  end(): void {}
}

class DrawnProgress implements ProgressPrinter {
  readonly #io: CommandIo;
  readonly #paint: Paint;
  #drawn = 0;
  #frame = 0;

  constructor(io: CommandIo) {
    this.#io = io;
    this.#paint = painter(io);
  }

  show(lines: readonly ProgressLine[]): void {
    const up = this.#drawn > 0 ? `\u001b[${this.#drawn}A` : "";
    const drawn = printable(lines.map((line) => `${this.#format(line)}\n`).join(""));
    (this.#io.unfiltered ?? this.#io).writeError(`${up}\u001b[J${drawn}`);
    this.#drawn = lines.length;
    this.#frame += 1;
  }

  /** What was drawn stays. */
  end(): void {
    this.#drawn = 0;
  }

  #format({ name, judgement: { state, text } }: ProgressLine): string {
    const columns = this.#io.terminal?.columns() ?? 80;
    // A line that is wrapped would be counted as one when it is drawn anew.
    const room = Math.max(10, columns - name.length - 5);
    return `${this.#sign(state)} ${this.#paint("bold", name)} ${shortened(text, room)}`;
  }

  #sign(state: Judgement["state"]): string {
    if (state === "done") return this.#paint("green", "✓");
    if (state === "failed") return this.#paint("red", "✗");
    return this.#paint("cyan", frames[this.#frame % frames.length] ?? "");
  }
}

function shortened(text: string, length: number): string {
  const [line = ""] = text.split("\n");
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}
