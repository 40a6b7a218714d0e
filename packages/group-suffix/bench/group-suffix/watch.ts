import { createJsonWatchRenamer } from "@rookery/group-suffix";
import type { Work } from "@rookery/testing";
import { mapping, nest, renameDecoded } from "./lists.ts";
import { rate } from "./rate.ts";

const events = 200;

/** Events of a watch, each in a chunk of its own as a server sends them. */
export function watchWorks(): Work[] {
  return [
    work("JSON watch with matches", "nests.pinniped.dev", 2),
    work("JSON watch without matches", "cert-manager.io", 2),
  ];
}

function work(name: string, group: string, goal: number): Work {
  const chunks = Array.from({ length: events }, (_, index) => {
    const event = { type: "MODIFIED", object: nest(group, index) };
    return Buffer.from(`${JSON.stringify(event)}\n`);
  });
  const renamer = createJsonWatchRenamer({ mapping });
  const ours = rate("ours", () => rename(renamer.stream(undefined), chunks), events);
  const peers: Work["peers"] = [rate("parse, rename, stringify", () => recode(chunks), events)];
  return { work: name, unit: "events/s", better: "more", ours, peers, goal };
}

function rename(
  stream: ReturnType<ReturnType<typeof createJsonWatchRenamer>["stream"]>,
  chunks: readonly Buffer[],
): void {
  for (const chunk of chunks) stream.push(chunk);
  stream.end();
}

function recode(chunks: readonly Buffer[]): void {
  for (const chunk of chunks) {
    const event = JSON.parse(chunk.toString());
    renameDecoded(event.object);
    Buffer.from(`${JSON.stringify(event)}\n`);
  }
}
