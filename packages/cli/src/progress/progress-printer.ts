import type { CommandIo } from "../command.ts";
import { type Paint, painter } from "../output/colours.ts";
import type { Judgement } from "./judgement.ts";
import { cutLine, LiveLines } from "./live-lines.ts";

/** The state of one thing that the command waits for. */
export interface ProgressLine {
  readonly name: string;
  readonly judgement: Judgement;
}

export interface ProgressPrinter {
  /** Prints the current states; may be called at any rate. */
  show(lines: readonly ProgressLine[]): void;
  /** Ends the progress. */
  end(): void;
}

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/**
 * Prints progress to the error output: at a terminal as lines that are overwritten, elsewhere as a line
 * for each change.
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
      // The text is not cut, as the advice is at its end.
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
  readonly #lines: LiveLines;
  #frame = 0;

  constructor(io: CommandIo) {
    this.#io = io;
    this.#paint = painter(io);
    this.#lines = new LiveLines((io.unfiltered ?? io).writeError);
  }

  show(lines: readonly ProgressLine[]): void {
    this.#lines.draw(lines.map((line) => this.#format(line)));
    this.#frame += 1;
  }

  end(): void {
    this.#lines.keep();
  }

  #format({ name, judgement: { state, text } }: ProgressLine): string {
    const columns = this.#io.terminal?.columns() ?? 80;
    const room = Math.max(10, columns - name.length - 5);
    const [line = ""] = text.split("\n");
    return `${this.#sign(state)} ${this.#paint("bold", name)} ${cutLine(line, room)}`;
  }

  #sign(state: Judgement["state"]): string {
    if (state === "done") return this.#paint("green", "✓");
    if (state === "failed") return this.#paint("red", "✗");
    return this.#paint("cyan", frames[this.#frame % frames.length] ?? "");
  }
}
