import { createJsonRenamer } from "@rookery/group-suffix";
import type { Work } from "@rookery/testing";
import { mapping, nestList, renameDecoded } from "./lists.ts";
import { throughput } from "./rate.ts";

const objects = 1000;
const chunkBytes = 64 * 1024;

/** Lists of objects, with a match in each object and without any. */
export function jsonWorks(): [Work, ...Work[]] {
  const matching = nestList("nests.pinniped.dev", objects);
  const foreign = nestList("cert-manager.io", objects);
  return [
    work("JSON list with matches", matching, 3),
    work("JSON list without matches", foreign, 20),
    streamed("JSON list with matches, as a stream", matching, 3),
    streamed("JSON list without matches, as a stream", foreign, 3),
  ];
}

function work(name: string, body: Buffer, goal: number): Work {
  const renamer = createJsonRenamer({ mapping });
  const ours = throughput("ours", body.length, () => renamer.rename(body, undefined));
  return { work: name, unit: "MB/s", better: "more", ours, peers: peers(body), goal };
}

/** As a proxy does it, which lets go on what it has read. */
function streamed(name: string, body: Buffer, goal: number): Work {
  const renamer = createJsonRenamer({ mapping });
  const ours = throughput("ours", body.length, () => {
    const stream = renamer.stream(undefined);
    for (let at = 0; at < body.length; at += chunkBytes) {
      stream.push(body.subarray(at, at + chunkBytes));
    }
    stream.end();
  });
  return { work: name, unit: "MB/s", better: "more", ours, peers: peers(body), goal };
}

function peers(body: Buffer): Work["peers"] {
  const recode = () => {
    const decoded = JSON.parse(body.toString());
    renameDecoded(decoded);
    return Buffer.from(JSON.stringify(decoded));
  };
  return [
    throughput("parse, rename, stringify", body.length, recode),
    throughput("a copy of the bytes", body.length, () => Buffer.from(body)),
  ];
}
