import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type Bench,
  createTemporaryFolder,
  type Kubernetes,
  runCommand,
  type Side,
  startKubernetes,
  type Work,
} from "@rookery/testing";
import { measureFloor } from "./informer/floor.ts";
import { createObjects, updateObjects } from "./informer/load.ts";
import { type Program, startProgram } from "./informer/program.ts";
import type { SyncReport } from "./informer/report.ts";

/** ROOKERY_BENCH_OBJECTS and ROOKERY_BENCH_SECONDS make a quick trial. */
const objects = Number(process.env.ROOKERY_BENCH_OBJECTS ?? 50_000);
const seconds = Number(process.env.ROOKERY_BENCH_SECONDS ?? 30);
const rate = 300;
/** How long an event may take that is not lost. */
const patience = 15_000;
/** On everywhere: to strip types from what is not compiled yet takes 25 MB. */
const compileCache = join(tmpdir(), "rookery-compile-cache");

/** Initial sync and updates of an informer, beside controller-runtime's, on a real kube-apiserver. */
export async function createBench(): Promise<Bench & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTemporaryFolder("informer-bench"));
  const go = await buildGo(join(folder.path, "informer"));
  const kubernetes = stack.use(await startKubernetes({ private: true, controllerManager: false }));
  console.error(`creating ${objects} objects …`);
  await createObjects(kubernetes, objects);
  const unstructured = goProgram(go, "unstructured");
  const typed = goProgram(go, "typed");
  const owned = stack.move();
  return {
    rounds: 3,
    works: [...syncWorks(kubernetes, [unstructured, typed]), updatesWork(kubernetes, unstructured)],
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** As managers are started: most of what an informer parses stays, so the young space is small. */
const flags = ["--max-semi-space-size=8"];
const oursUrl = import.meta.resolve("./informer/ours.ts");
const ours = nodeProgram("ours", oursUrl, { flags });
const oursByStream = nodeProgram("ours, by stream", oursUrl, { flags, args: ["streamed"] });

interface NodeOptions {
  readonly flags?: readonly string[];
  readonly args?: readonly string[];
}

function nodeProgram(name: string, url: string, options: NodeOptions = {}): Program {
  const path = fileURLToPath(url);
  const { flags = [], args = [] } = options;
  return {
    name,
    command: process.execPath,
    args: ({ kubeconfig, updates }) => [...flags, path, kubeconfig, String(updates), ...args],
    env: { NODE_COMPILE_CACHE: compileCache },
  };
}

function goProgram(command: string, kind: "unstructured" | "typed"): Program {
  return {
    name: `controller-runtime, ${kind}`,
    command,
    args: ({ kubeconfig, updates }) => [kind, kubeconfig, String(updates)],
  };
}

/** Runs with the module's own Go, for this machine, from these modules alone. */
async function buildGo(output: string): Promise<string> {
  console.error("building the Go side …");
  const cwd = join(import.meta.dirname, "go", "informer");
  const env = { ...process.env, CGO_ENABLED: "0", GOWORK: "off" };
  await runCommand("go", ["build", "-trimpath", "-o", output, "."], { cwd, env });
  return output;
}

type SyncWorks = [Work, ...Work[]];

/** All figures of a round come from the same runs. */
function syncWorks(kubernetes: Kubernetes, go: [Program, Program]): SyncWorks {
  const clientNode = nodeProgram(
    "@kubernetes/client-node",
    import.meta.resolve("./informer/client-node.ts"),
  );
  const [unstructured, typed] = go.map((program) => new SyncRuns(kubernetes, program)) as [
    SyncRuns,
    SyncRuns,
  ];
  const inNode = new SyncRuns(kubernetes, clientNode);
  const own = new SyncRuns(kubernetes, ours);
  const byStream = new SyncRuns(kubernetes, oursByStream);
  const what = `initial sync of ${objects.toLocaleString("en")} objects`;
  const work = (name: string, figure: keyof SyncReport, peers: SyncRuns[]): Omit<Work, "goal"> => {
    const [first, ...rest] = peers.map((runs) => runs.side(figure)) as [Side, ...Side[]];
    const unit = figure === "milliseconds" ? "ms" : "bytes";
    return { work: name, unit, better: "less", ours: own.side(figure), peers: [first, ...rest] };
  };
  return [
    { ...work(what, "milliseconds", [unstructured, typed, inNode]), goal: 2 },
    { ...work(`${what}, against typed Go`, "milliseconds", [typed]), goal: 1 },
    { ...work(`${what}, in Node`, "milliseconds", [inNode]), goal: 3 },
    {
      work: "the bytes alone, thrown away: no informer is faster",
      unit: "ms",
      better: "less",
      ours: { name: "the server alone", round: () => measureFloor(kubernetes) },
      peers: [inNode.side("milliseconds"), own.side("milliseconds")],
    },
    {
      ...work("resident memory afterwards", "resident", [unstructured, typed, inNode]),
      goal: 2,
    },
    work("resident memory at most", "peak", [unstructured, typed, inNode]),
    // Lists come all at once by default for as long as this holds; a tenth is noise.
    { ...work(`${what}, all at once`, "milliseconds", [byStream]), goal: 0.9 },
    work("resident memory at most, all at once", "peak", [byStream]),
  ];
}

/** The runs of one program, each of which gives several figures. */
class SyncRuns {
  readonly #kubernetes: Kubernetes;
  readonly #program: Program;
  readonly #reports: SyncReport[] = [];

  constructor(kubernetes: Kubernetes, program: Program) {
    this.#kubernetes = kubernetes;
    this.#program = program;
  }

  /** Runs the program where another figure of that round has not done so. */
  side(figure: keyof SyncReport): Side {
    let round = 0;
    return {
      name: this.#program.name,
      round: async () => {
        const report = this.#reports[round] ?? (await this.#run());
        round++;
        return report[figure];
      },
    };
  }

  async #run(): Promise<SyncReport> {
    const { kubeconfig } = this.#kubernetes;
    await using running = await startProgram(this.#program, { kubeconfig, updates: 0 });
    const { sync } = running;
    if (sync.objects !== objects) {
      throw new Error(`could not measure ${this.#program.name}: it has ${sync.objects} objects`);
    }
    this.#reports.push(sync);
    console.error(`${this.#program.name}: ${JSON.stringify(sync)}`);
    return sync;
  }
}

/** Both sides hear of the same updates at the same time. */
function updatesWork(kubernetes: Kubernetes, peer: Program): Work {
  const p99s = new Map<Program, number>();
  const side = (program: Program): Side => ({
    name: program.name,
    round: () => p99s.get(program) ?? Number.NaN,
  });
  const round = async () => {
    for (const [program, p99] of await measureUpdates(kubernetes, [ours, peer])) {
      p99s.set(program, p99);
    }
    return p99s.get(ours) ?? Number.NaN;
  };
  return {
    work: `p99 of ${rate} updates a second for ${seconds} s`,
    unit: "ms",
    better: "less",
    ours: { name: ours.name, round },
    peers: [side(peer)],
    goal: 1 / 1.25,
  };
}

/** Throws where an update was not delivered to a program. */
async function measureUpdates(
  kubernetes: Kubernetes,
  programs: readonly Program[],
): Promise<Map<Program, number>> {
  const updates = rate * seconds;
  await using stack = new AsyncDisposableStack();
  const running = [];
  for (const program of programs) {
    const { kubeconfig } = kubernetes;
    running.push(stack.use(await startProgram(program, { kubeconfig, updates })));
  }
  await updateObjects(kubernetes, { rate, seconds });
  const p99s = new Map<Program, number>();
  for (const [index, program] of programs.entries()) {
    const { latencies = [] } = (await running[index]?.updates(patience)) ?? {};
    if (latencies.length !== updates) {
      throw new Error(`${program.name} heard of ${latencies.length} of ${updates} updates`);
    }
    const sorted = latencies.toSorted((a, b) => a - b);
    p99s.set(program, sorted[Math.floor(updates * 0.99)] ?? Number.NaN);
  }
  return p99s;
}
