import { setTimeout as delay } from "node:timers/promises";
import type { Bench, Side, Work } from "@rookery/testing";
import { installNested, LightTenant } from "./local/light-tenants.ts";
import { RunningLocal } from "./local/running-local.ts";
import { timeDeployment } from "./local/time-deployment.ts";

const idleSeconds = 60;
/** Processes of ours give memory back when they rest, 10 s and 60 s after they started or soon after that. */
const settledMs = { empty: 5_000, full: 90_000 };

interface Figures {
  readonly unit: string;
  readonly promised: number;
  readonly round: Side["round"];
  /** Whether it is kept to; else what is promised only stands beside it. */
  readonly isGoal?: boolean;
}

/** The embedded Kubernetes with its node, by the command that users run, beside what is promised. */
export async function createBench(): Promise<Bench & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const starts: number[] = [];
  const local = stack.use(await RunningLocal.start());
  const empty = await idlePercent(local, settledMs.empty);
  await installNested(local);
  let tenant = await LightTenant.create(local, "bench-0");
  await tenant.time();
  let made = 1;
  const timeTenant = async () => {
    await tenant[Symbol.asyncDispose]();
    tenant = await LightTenant.create(local, `bench-${made++}`);
    return tenant.time();
  };
  let full: Promise<number> | undefined;
  const owned = stack.move();
  return {
    rounds: 3,
    works: [
      work("rookery local up, to a Ready node", {
        unit: "s",
        promised: 1.5,
        async round() {
          await using started = await RunningLocal.start();
          starts.push(started.startCpuSeconds);
          return started.startSeconds;
        },
      }),
      // Of the same starts: on a busy machine it says more than their time.
      work("rookery local up, CPU of both processes", {
        unit: "s",
        promised: 1.5,
        isGoal: false,
        round: () => starts.shift() ?? Number.NaN,
      }),
      work("a Deployment of our image, from apply to Available", {
        unit: "s",
        promised: 1,
        round: () => timeDeployment(local, `web-${made++}`),
      }),
      work("a light tenant, from apply to ready", { unit: "s", promised: 1, round: timeTenant }),
      work("memory of a light tenant (PSS)", {
        unit: "MB",
        promised: 80,
        round: () => tenant.memory(),
      }),
      work(`idle CPU over ${idleSeconds} s, without pods`, {
        unit: "% of a core",
        promised: 2,
        round: () => empty,
      }),
      work(`idle CPU over ${idleSeconds} s, with the nested providers and a light tenant`, {
        unit: "% of a core",
        promised: 2,
        round() {
          full ??= idlePercent(local, settledMs.full);
          return full;
        },
      }),
    ],
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function work(name: string, { unit, promised, round, isGoal = true }: Figures): Work {
  return {
    work: name,
    unit,
    better: "less",
    ours: { name: "ours", round },
    peers: [{ name: "promised", round: () => promised }],
    ...(isGoal && { goal: 1 }),
  };
}

/** Of one core, once what was begun has settled. */
async function idlePercent(local: RunningLocal, settled: number): Promise<number> {
  await delay(settled);
  const before = { cpu: await local.cpuSeconds(), moment: performance.now() };
  await delay(idleSeconds * 1000);
  const cpu = (await local.cpuSeconds()) - before.cpu;
  return (cpu / (performance.now() - before.moment)) * 1000 * 100;
}
