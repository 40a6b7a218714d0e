import { printable } from "../output/printable.ts";

/** Lines at a terminal, which each draw overwrites. */
export class LiveLines {
  readonly #write: (text: string) => void;
  #height = 0;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  draw(lines: readonly string[]): void {
    const up = this.#height > 0 ? `\u001b[${this.#height}A` : "";
    this.#write(`${up}\u001b[J${printable(lines.map((line) => `${line}\n`).join(""))}`);
    this.#height = lines.length;
  }

  /** Keeps the last lines: the next draw is below them. */
  keep(): void {
    this.#height = 0;
  }
}

/** A line that is cut at a width, as the terminal would wrap it and a draw would overwrite too little. */
export function cutLine(line: string, width: number): string {
  return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`;
}
