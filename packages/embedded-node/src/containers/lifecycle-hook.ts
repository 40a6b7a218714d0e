import { setTimeout as delay } from "node:timers/promises";
import type { LifecycleHandler } from "@rookery/api";
import { NodeError } from "../errors.ts";
import { type ProbeTarget, sendHttpGet } from "../probes/probe-check.ts";

/** Runs a postStart or preStop hook. Rejects where it fails. */
export async function runHook(
  handler: LifecycleHandler,
  target: ProbeTarget,
  signal: AbortSignal,
): Promise<void> {
  const { exec, httpGet, sleep } = handler;
  if (sleep) return void (await delay((sleep.seconds ?? 0) * 1000, undefined, { signal }));
  if (httpGet)
    return void (await sendHttpGet(httpGet, target, { signal, agent: "kube-lifecycle/1.34" }));
  if (!exec) return;
  const { code, output } = await target.run(exec.command ?? [], signal);
  if (code !== 0) throw new NodeError(`command exited with ${code}: ${output}`);
}
