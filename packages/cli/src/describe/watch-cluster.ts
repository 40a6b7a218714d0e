import type { CommandIo } from "../command.ts";
import { DescribeError } from "../errors.ts";
import { printable } from "../output/printable.ts";

/** How a tree is shown again and again. */
interface WatchOptions {
  /** What is printed, at some time: as time goes by, ages change and nothing else. */
  readonly draw: (now: Date) => string;
}

export interface Watch {
  /** Reads the cluster anew. */
  readonly read: () => Promise<WatchOptions>;
  /** Resolves when it is to be read anew. */
  readonly changed: () => Promise<void>;
  /** After which ages are drawn anew at a terminal, in milliseconds. */
  readonly interval: number;
}

const home = "\u001b[H";
const clearScreen = "\u001b[2J";
const clearLine = "\u001b[K";
const clearBelow = "\u001b[J";

/**
 * Shows a cluster until it is gone, or the command is ended: at a terminal in one place, elsewhere once
 * more whenever something but an age has changed.
 */
export async function watchCluster(io: CommandIo, watch: Watch): Promise<void> {
  const { read } = watch;
  const begun = new Date();
  let before: string | undefined;
  const screen = io.unfiltered ?? io;
  if (io.terminal) screen.write(clearScreen);
  for (;;) {
    const seen = await readUnlessGone(read, before !== undefined);
    if (!seen) return io.writeError("The cluster is gone.\n");
    const content = seen.draw(begun);
    const draw = () => screen.write(redraw(printable(seen.draw(new Date()))));
    if (io.terminal) draw();
    else if (content !== before) io.write(before === undefined ? content : `\n${content}`);
    before = content;
    await untilChanged(watch, io.terminal ? draw : () => {});
  }
}

async function untilChanged({ changed, interval }: Watch, draw: () => void): Promise<void> {
  const timer = setInterval(draw, interval);
  try {
    await changed();
  } finally {
    clearInterval(timer);
  }
}

/** A cluster that was never there is an error. */
async function readUnlessGone(
  read: Watch["read"],
  wasThere: boolean,
): Promise<WatchOptions | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DescribeError && wasThere) return undefined;
    throw error;
  }
}

/** Over what is there, so that nothing flickers. */
function redraw(text: string): string {
  return `${home}${text.replaceAll("\n", `${clearLine}\n`)}${clearBelow}`;
}
