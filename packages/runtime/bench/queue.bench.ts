import { join } from "node:path";
import { formatObjectKey } from "@rookery/kube";
import { createWorkQueue, type Request } from "@rookery/runtime";
import {
  type Bench,
  createTemporaryFolder,
  runCommand,
  type Side,
  type TemporaryFolder,
  type Work,
} from "@rookery/testing";

const objects = 10_000;

interface Shape {
  readonly cycles: number;
  /** How many items are in the queue all the time. */
  readonly waiting: number;
}

/** One million add–get–done cycles a second are promised; client-go's queue stands beside it. */
export async function createBench(): Promise<Bench & AsyncDisposable> {
  const folder = await createTemporaryFolder("queue-bench");
  const go = await buildGo(folder);
  const promised: Side = { name: "promised", round: () => 1_000_000 };
  const clientGo = (shape: Shape) => (go === undefined ? [] : [goSide(go, shape)]);
  const cycles = 1_000_000;
  return {
    rounds: 5,
    works: [
      {
        ...ours("add–get–done cycles", { cycles, waiting: 0 }),
        peers: [promised, ...clientGo({ cycles, waiting: 0 })],
        goal: 1,
      },
      {
        ...ours("the same, 5,000 items waiting", { cycles, waiting: 5000 }),
        peers: [promised, ...clientGo({ cycles, waiting: 5000 })],
      },
    ],
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

function ours(work: string, shape: Shape): Omit<Work, "peers"> {
  return { work, unit: "/s", better: "more", ours: { name: "ours", round: () => cycle(shape) } };
}

/** One worker that awaits every item, as a controller's does. */
async function cycle({ cycles, waiting }: Shape): Promise<number> {
  const requests = Array.from(
    { length: objects },
    (_, index): Request => ({ namespace: `namespace-${index % 100}`, name: `object-${index}` }),
  );
  const queue = createWorkQueue<Request>({ keyOf: formatObjectKey });
  for (const request of requests.slice(0, waiting)) queue.add(request);
  const began = performance.now();
  for (let index = 0; index < cycles; index++) {
    const added = requests[(waiting + index) % objects];
    if (added !== undefined) queue.add(added);
    const taken = await queue.get();
    if (taken !== undefined) queue.done(taken);
  }
  return cycles / ((performance.now() - began) / 1000);
}

function goSide(program: string, { cycles, waiting }: Shape): Side {
  const args = [cycles, objects, waiting].map(String);
  return { name: "client-go", round: async () => Number(await runCommand(program, args)) };
}

/** Builds the peer; without it, the run says so and compares with the promise alone. */
async function buildGo(folder: TemporaryFolder): Promise<string | undefined> {
  const output = join(folder.path, "queue");
  const cwd = join(import.meta.dirname, "go", "queue");
  const env = { ...process.env, CGO_ENABLED: "0", GOWORK: "off" };
  try {
    await runCommand("go", ["build", "-o", output, "."], { cwd, env });
    return output;
  } catch (error) {
    console.error(`client-go's queue is not measured: ${error}`);
    return undefined;
  }
}
