import { styleText } from "node:util";
import type { CommandIo } from "../command.ts";

type Style = Parameters<typeof styleText>[0];

/** Adds colors at a terminal, unless NO_COLOR is set. */
export type Paint = (style: Style, text: string) => string;

export function painter({ terminal, env }: CommandIo): Paint {
  if (!terminal || env.NO_COLOR || env.TERM === "dumb") return (_, text) => text;
  return (style, text) => styleText(style, text, { validateStream: false });
}
