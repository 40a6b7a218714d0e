import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createClient, loadConfig } from "@rookery/client";
import { type Bench, createTemporaryFolder, processesOfPods, type Side } from "@rookery/testing";
import { memoryOf } from "./local/process-usage.ts";
import { StartedPlane } from "./start/started-plane.ts";

/** After which what starting took has been let go of. */
const settledMs = 20_000;

/** `npm start` in an empty folder, beside what is promised: until all is Ready, and memory at rest. */
export async function createBench(): Promise<Bench & AsyncDisposable> {
  const memories: number[] = [];
  const promised = (value: number): readonly [Side] => [{ name: "promised", round: () => value }];
  return {
    rounds: 2,
    works: [
      {
        work: "npm start, until everything is Ready",
        unit: "s",
        better: "less",
        goal: 1,
        ours: {
          name: "ours",
          async round() {
            const { seconds, memory } = await measure();
            memories.push(memory);
            return seconds;
          },
        },
        peers: promised(20),
      },
      {
        // Of the same starts.
        work: "memory of all its processes (PSS)",
        unit: "MB",
        better: "less",
        goal: 1,
        ours: { name: "ours", round: () => memories.shift() ?? Number.NaN },
        peers: promised(600),
      },
    ],
    // Each round ends what it has started.
    async [Symbol.asyncDispose]() {},
  };
}

async function measure(): Promise<{ readonly seconds: number; readonly memory: number }> {
  await using folder = await createTemporaryFolder("bench-start");
  await using plane = await StartedPlane.start(folder, "--port", "0");
  await plane.ready();
  const seconds = Number(/Ready after ([\d.]+) s/.exec(plane.output)?.[1]);
  await delay(settledMs);
  const path = join(folder.path, "data", "kubeconfig");
  await using client = createClient(await loadConfig({ path }));
  const pods = await client.mapper.resourceForKind({ group: "", kind: "Pod" });
  const { items } = await client.resource(pods).list();
  const uids = new Set(items.map(({ metadata }) => metadata.uid ?? ""));
  const pids = [plane.child.pid, ...processesOfPods(uids)];
  return { seconds, memory: pids.reduce((sum, pid) => sum + memoryOf(pid), 0) };
}
