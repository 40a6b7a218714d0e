import { execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { createProtobufRenamer, createProtobufWatchRenamer } from "@rookery/group-suffix";
import { encodeFrame, WireWriter } from "@rookery/kube";
import { ensureGoProgram, type Side, UnavailableError, type Work } from "@rookery/testing";
import { mapping } from "./lists.ts";
import { rate } from "./rate.ts";

const pods = 1000;
const goMilliseconds = 500;

/** Lists and events of pods, beside Go's typed way; without Go they are not measured. */
export async function protobufWorks(): Promise<Work[]> {
  const module = join(import.meta.dirname, "..", "..", "test", "go", "protobuf");
  try {
    const program = await ensureGoProgram(module);
    return await works(program);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    console.error(`Protobuf is not measured: ${error.message}`);
    return [];
  }
}

async function works(program: string): Promise<Work[]> {
  const matching = "nests.pinniped.dev/v1";
  const foreign = "apps/v1";
  return [
    listWork("Protobuf list with matches", program, await makePods(program, pods, matching)),
    listWork("Protobuf list without matches", program, await makePods(program, pods, foreign)),
    eventWork("Protobuf watch with matches", program, await makePods(program, 1, matching)),
    eventWork("Protobuf watch without matches", program, await makePods(program, 1, foreign)),
  ];
}

function listWork(work: string, program: string, body: Buffer): Work {
  const renamer = createProtobufRenamer({ mapping });
  return {
    work,
    unit: "lists/s",
    better: "more",
    goal: 5,
    ours: rate("ours", () => renamer.rename(body, undefined)),
    peers: [typedGo(program, body), rate("a copy of the bytes", () => Buffer.from(body))],
  };
}

/** Go decodes and encodes the object of the event alone. */
function eventWork(work: string, program: string, body: Buffer): Work {
  const renamer = createProtobufWatchRenamer({ mapping });
  const event = new WireWriter().string(1, "MODIFIED").message(2, (raw) => raw.bytes(1, body));
  const chunk = Buffer.concat(encodeFrame(event.finish()));
  const chunks = Array.from({ length: 100 }, () => chunk);
  const ours = rate(
    "ours",
    () => {
      const stream = renamer.stream(undefined);
      for (const each of chunks) stream.push(each);
      stream.end();
    },
    chunks.length,
  );
  const peers: Work["peers"] = [typedGo(program, body)];
  return { work, unit: "events/s", better: "more", ours, peers, goal: 2 };
}

async function makePods(program: string, count: number, owner: string): Promise<Buffer> {
  const settings = { encoding: "buffer", maxBuffer: 2 ** 28 } as const;
  return (await promisify(execFile)(program, ["pods", String(count), owner], settings)).stdout;
}

/** The program measures itself, by the processor's time as here, and without its start. */
function typedGo(program: string, body: Buffer): Side {
  return {
    name: "Go: decode, rename, encode",
    round: () =>
      new Promise((resolve, reject) => {
        const args = ["bench", String(goMilliseconds)];
        const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
        let printed = "";
        child.stdout.on("data", (chunk) => {
          printed += chunk;
        });
        child.once("error", reject);
        child.once("close", () => resolve(Number(printed)));
        child.stdin.on("error", () => {});
        child.stdin.end(body);
      }),
  };
}
