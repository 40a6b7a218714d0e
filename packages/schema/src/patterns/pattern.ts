import { messageOf } from "@rookery/errors";
import { RE2JS } from "re2js";
import { patternSize } from "./pattern-size.ts";

/** Compiling one of this size takes a tenth of a second. */
const MAX_SIZE = 20_000;
/** A single match can't be stopped: this many steps take seconds at worst. */
const MAX_STEPS = 50_000_000;

/** A regular expression in the syntax of RE2, compiled when it is first used. */
export class Pattern {
  readonly text: string;
  /** About how many instructions it has. */
  readonly size: number;
  #compiled: RE2JS | string | undefined;

  constructor(text: string) {
    this.text = text;
    this.size = patternSize(text);
  }

  /** Why it can't be compiled, in Go's words; "" where it can. */
  get problem(): string {
    return typeof this.#program === "string" ? this.#program : "";
  }

  /** Whether a match in a text is so much work that it must not be tried. */
  isTooMuchFor(text: string): boolean {
    return this.size * text.length > MAX_STEPS;
  }

  /** Whether it matches somewhere in the text; never where there is a problem. */
  test(text: string): boolean {
    const program = this.#program;
    return typeof program !== "string" && program.test(text);
  }

  /** All matches, each found when it is asked for. */
  *matches(text: string): Generator<string> {
    const program = this.#program;
    if (typeof program === "string") return;
    const matcher = program.matcher(text);
    while (matcher.find()) yield matcher.group() ?? "";
  }

  get #program(): RE2JS | string {
    this.#compiled ??= this.size > MAX_SIZE ? "expression too large" : compile(this.text);
    return this.#compiled;
  }
}

function compile(text: string): RE2JS | string {
  try {
    return RE2JS.compile(text);
  } catch (error) {
    return messageOf(error);
  }
}
