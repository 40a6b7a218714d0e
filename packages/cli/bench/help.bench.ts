import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { writeBundle } from "@rookery/packaging";
import {
  type Bench,
  clusterctlProgram,
  createTemporaryFolder,
  type Side,
  type Work,
} from "@rookery/testing";
import { cpuSecondsOfEnded } from "./local/process-usage.ts";

const promisedMs = 150;
/** Processor time is counted in steps of 10 ms. */
const callsForCpu = 4;
const clone = join(import.meta.dirname, "../src/rookery.mjs");

type Call = () => void;

/** `rookery --help`, as soon as somebody asks: what is promised, Node alone and clusterctl beside it. */
export async function createBench(): Promise<Bench & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTemporaryFolder("bench-help"));
  await writeBundle(join(folder.path, "bundle"));
  const env = { ...process.env, NODE_COMPILE_CACHE: undefined, XDG_CACHE_HOME: folder.path };
  const calling =
    (command: string, ...args: readonly string[]): Call =>
    () => {
      const { status } = spawnSync(command, args, { env });
      if (status !== 0) throw new Error(`could not run ${command}: it ended with ${status}`);
    };
  const peers = {
    "node -e 0": calling(process.execPath, "-e", "0"),
    "clusterctl --help": calling(await clusterctlProgram(), "--help"),
  };
  const installed = calling(process.execPath, join(folder.path, "bundle", "rookery.cjs"), "--help");
  const inClone = calling(process.execPath, clone, "--help");
  const owned = stack.move();
  return {
    rounds: 15,
    works: [
      work({ where: "installed", call: installed, peers }, timeOf),
      work({ where: "in a clone", call: inClone, peers }, timeOf),
      // On a busy machine it says more than the time.
      work({ where: "installed: CPU", call: installed, peers }, cpuOf),
      work({ where: "in a clone: CPU", call: inClone, peers }, cpuOf),
    ],
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function timeOf(call: Call): number {
  const started = performance.now();
  call();
  return performance.now() - started;
}

function cpuOf(call: Call): number {
  const before = cpuSecondsOfEnded();
  for (let calls = 0; calls < callsForCpu; calls++) call();
  return ((cpuSecondsOfEnded() - before) / callsForCpu) * 1000;
}

interface Measured {
  readonly where: string;
  readonly call: Call;
  readonly peers: Readonly<Record<string, Call>>;
}

function work({ where, call, peers }: Measured, measure: (call: Call) => number): Work {
  const side = (name: string, called: Call): Side => ({ name, round: () => measure(called) });
  return {
    work: `rookery --help, ${where}`,
    unit: "ms",
    better: "less",
    ours: side("ours", call),
    peers: [
      { name: "promised", round: () => promisedMs },
      ...Object.entries(peers).map(([name, peer]) => side(name, peer)),
    ],
    ...(measure === timeOf && { goal: 1 }),
  };
}
