import { type Bench, ensureBinaries, type Side } from "@rookery/testing";
import { timeBareBinaries } from "./nested/bare-binaries.ts";
import { IdleEstate } from "./nested/idle-estate.ts";
import { PodTenants } from "./nested/pod-tenants.ts";
import { ProcessTenants } from "./nested/process-tenants.ts";

const crowd = 10;
const idle = 100;
/** What is promised: at most so many times what the bare binaries need. */
const limit = 1.3;
const podLimit = 2.5;
const memoryLimit = 130;

/** Control planes as processes and as pods, beside the same programs without anybody to manage them. */
export async function createBench(): Promise<Bench & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const programs = await ensureBinaries(["etcd", "kube-apiserver", "kube-controller-manager"]);
  const counted = (name: string, value: number): Side => ({ name, round: () => value });
  // First, while nothing else runs, and gone before anything else is measured.
  const { memory, writes } = await measureIdle();
  const tenants = stack.use(await ProcessTenants.start());
  const podTenants = stack.use(new PodTenants());
  const owned = stack.move();
  let bare = 0;
  const timeBare = () => timeBareBinaries(programs, `127.0.1.${(bare++ % 250) + 1}`);
  const together = async (count: number) => {
    const times = await Promise.all(Array.from({ length: count }, timeBare));
    return Math.max(...times);
  };
  return {
    rounds: 3,
    works: [
      {
        work: "a control plane, from apply to ready",
        unit: "s",
        better: "less",
        ours: { name: "ours", round: () => tenants.time(1) },
        peers: [{ name: "bare binaries", round: timeBare }],
        goal: 1 / limit,
      },
      {
        work: `${crowd} control planes at once`,
        unit: "s",
        better: "less",
        ours: { name: "ours", round: () => tenants.time(crowd) },
        peers: [{ name: "bare binaries", round: () => together(crowd) }],
      },
      {
        work: "a control plane as pods of a real node, from apply to ready",
        unit: "s",
        better: "less",
        ours: { name: "ours", round: () => podTenants.time() },
        peers: [{ name: "bare binaries", round: timeBare }],
        goal: 1 / podLimit,
      },
      {
        work: `memory of the manager with ${idle} tenants at rest`,
        unit: "MB",
        better: "less",
        ours: counted("ours", memory),
        peers: [counted("promised", memoryLimit)],
        goal: 1,
      },
      {
        work: `1 + writes while ${idle} tenants are looked at and nothing has changed`,
        unit: "writes",
        better: "less",
        ours: counted("ours", 1 + writes),
        peers: [counted("none", 1)],
        goal: 1,
      },
    ],
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function measureIdle(): Promise<{ memory: number; writes: number }> {
  await using estate = await IdleEstate.start(idle);
  const writes = await estate.idleWrites();
  return { memory: estate.memory(), writes };
}
