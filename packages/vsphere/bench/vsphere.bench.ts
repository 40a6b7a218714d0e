import type { Bench, Side } from "@rookery/testing";
import { Estate } from "./vsphere/estate.ts";

/** What docs/vsphere.md states and explains for a machine, from nothing to its address. */
const statedForMachine = 48;

const size = { accounts: 10, clustersEach: 100, machinesEach: 10 };
const { accounts } = size;
const clusters = accounts * size.clustersEach;
const machines = accounts * size.machinesEach;

/** How many calls a vCenter gets: figures of one run, since they depend on no clock. */
export async function createBench(): Promise<Bench & AsyncDisposable> {
  const estate = await Estate.start(size);
  const { vcenter } = estate;
  const sessions = await estate.sessions();
  vcenter.forget();
  await estate.reconcileAll();
  const unchanged = vcenter.calls.length;
  vcenter.forget();
  await estate.makeMachines();
  const cloned = vcenter.calls.length / machines;
  console.error(histogram(vcenter.calls.map(({ method }) => method)));
  const counted = (name: string, value: number): Side => ({ name, round: () => value });
  return {
    rounds: 1,
    works: [
      {
        work: `sessions for ${clusters} clusters of ${accounts} identities`,
        unit: "sessions",
        better: "less",
        ours: counted("ours", sessions),
        peers: [counted("accounts in use", accounts)],
        goal: 1,
      },
      {
        work: `calls for a reconcile of ${clusters} unchanged clusters`,
        unit: "calls",
        better: "less",
        ours: counted("ours", unchanged),
        peers: [counted("one liveness check an account", accounts)],
        goal: 1,
      },
      {
        work: `calls a machine, of ${machines} cloned to running`,
        unit: "calls",
        better: "less",
        ours: counted("ours", cloned),
        peers: [counted("stated in docs/vsphere.md", statedForMachine)],
        goal: 1,
      },
    ],
    [Symbol.asyncDispose]: () => estate[Symbol.asyncDispose](),
  };
}

/** Which calls there were, the most frequent first. */
function histogram(methods: readonly string[]): string {
  const counts = Object.entries(Object.groupBy(methods, (method) => method));
  return counts
    .map(([method, all = []]) => ({ method, count: all.length }))
    .sort((a, b) => b.count - a.count)
    .map(({ method, count }) => `${count} ${method}`)
    .join("\n");
}
