import type { CommandIo } from "../command.ts";
import { DescribeError } from "../errors.ts";
import { printable } from "../output/printable.ts";

/** The text for a cluster at a time: only ages depend on the time. */
type Draw = (now: Date) => string;

export interface Watch {
  /** Reads the cluster. */
  readonly read: () => Promise<Draw>;
  /** Resolves when the cluster may have changed. */
  readonly changed: () => Promise<void>;
  /** The time between two updates of ages at a terminal, in milliseconds. */
  readonly interval: number;
}

const home = "\u001b[H";
const clearScreen = "\u001b[2J";
const clearLine = "\u001b[K";
const clearBelow = "\u001b[J";

/**
 * Prints a cluster until it is gone: at a terminal always in the same place, elsewhere again whenever
 * more than an age has changed.
 */
export async function watchCluster(io: CommandIo, watch: Watch): Promise<void> {
  const { read } = watch;
  const start = new Date();
  let before: string | undefined;
  const screen = io.unfiltered ?? io;
  if (io.terminal) screen.write(clearScreen);
  for (;;) {
    const draw = await readUnlessGone(read, before !== undefined);
    if (!draw) return io.writeError("The cluster is gone.\n");
    const content = draw(start);
    const update = () => screen.write(redraw(printable(draw(new Date()))));
    if (io.terminal) update();
    else if (content !== before) io.write(before === undefined ? content : `\n${content}`);
    before = content;
    await untilChanged(watch, io.terminal ? update : () => {});
  }
}

async function untilChanged({ changed, interval }: Watch, update: () => void): Promise<void> {
  const timer = setInterval(update, interval);
  try {
    await changed();
  } finally {
    clearInterval(timer);
  }
}

/** Throws DescribeError for a cluster that never existed. */
async function readUnlessGone(read: Watch["read"], wasThere: boolean): Promise<Draw | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DescribeError && wasThere) return undefined;
    throw error;
  }
}

/** Overwrites the screen instead of clearing it, so that it does not flicker. */
function redraw(text: string): string {
  return `${home}${text.replaceAll("\n", `${clearLine}\n`)}${clearBelow}`;
}
