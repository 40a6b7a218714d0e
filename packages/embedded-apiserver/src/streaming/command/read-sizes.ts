import type { Readable } from "node:stream";
import type { TerminalSize } from "./command-streams.ts";

/** What one size may take; anything longer is none. */
const maxLength = 4_096;

/** Reads JSON objects one after another, and stops at what is none. */
export function readSizes(stream: Readable, onSize: (size: TerminalSize) => void): void {
  let text = "";
  const stop = () => stream.off("data", take).resume();
  const take = (chunk: Buffer) => {
    text += chunk.toString("latin1");
    for (let end = text.indexOf("}"); end !== -1; end = text.indexOf("}")) {
      const size = parseSize(text.slice(0, end + 1));
      if (!size) return stop();
      text = text.slice(end + 1);
      onSize(size);
    }
    return text.length > maxLength ? stop() : undefined;
  };
  stream.on("data", take);
}

/** Go reads names of fields in any case. */
function parseSize(text: string): TerminalSize | undefined {
  try {
    const fields = Object.entries(JSON.parse(text) as object);
    const lowered = new Map(fields.map(([name, value]) => [name.toLowerCase(), value]));
    const [columns = 0, rows = 0] = [lowered.get("width"), lowered.get("height")];
    return isSize(columns) && isSize(rows) ? { columns, rows } : undefined;
  } catch {
    return undefined;
  }
}

function isSize(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 0x10000;
}
