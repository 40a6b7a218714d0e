import { setTimeout as delay } from "node:timers/promises";
import type { Container, Probe } from "@rookery/api";
import { messageOf } from "@rookery/errors";
import { checkProbe, type ProbeTarget } from "./probe-check.ts";

/** How soon a probe is asked again before its first success: the longer that takes, the later. */
const eagerMs = 10;
const eagerShare = 0.05;

/** Called with the results of a container's probes as they change. */
interface ProbeListener {
  started(): void;
  ready(isReady: boolean): void;
  /** The container has to be restarted: "liveness" or "startup". */
  failed(probe: string, graceSeconds: number | undefined): void;
  /** A try that failed: "Readiness probe failed: …". */
  unhealthy(message: string): void;
}

export interface ProberOptions {
  readonly target: ProbeTarget;
  readonly listener: ProbeListener;
  /** Of one run of the container. */
  readonly signal: AbortSignal;
}

/** Asks the probes of a running container until the signal: startup first, then the other two. */
export async function probeContainer(container: Container, options: ProberOptions): Promise<void> {
  const { listener, signal } = options;
  const { startupProbe, readinessProbe, livenessProbe } = container;
  try {
    if (startupProbe && !(await followStartup(startupProbe, options))) return;
    listener.started();
    if (!readinessProbe) listener.ready(true);
    await Promise.all([
      readinessProbe && followReadiness(readinessProbe, options),
      livenessProbe && followLiveness(livenessProbe, options),
    ]);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Whether the container has started. */
async function followStartup(probe: Probe, options: ProberOptions): Promise<boolean> {
  for await (const isGood of verdicts("Startup", probe, options)) {
    if (isGood) return true;
    options.listener.failed("startup", probe.terminationGracePeriodSeconds);
    return false;
  }
  return false;
}

async function followReadiness(probe: Probe, options: ProberOptions): Promise<void> {
  for await (const isGood of verdicts("Readiness", probe, options)) options.listener.ready(isGood);
}

async function followLiveness(probe: Probe, options: ProberOptions): Promise<void> {
  for await (const isGood of verdicts("Liveness", probe, options)) {
    if (isGood) continue;
    return options.listener.failed("liveness", probe.terminationGracePeriodSeconds);
  }
}

/** The results of a probe, each after as many equal tries as its thresholds ask for. */
async function* verdicts(
  name: string,
  probe: Probe,
  { target, listener, signal }: ProberOptions,
): AsyncGenerator<boolean> {
  const { periodSeconds = 10, failureThreshold = 3, successThreshold = 1 } = probe;
  await delay((probe.initialDelaySeconds ?? 0) * 1000, undefined, { signal });
  const began = performance.now();
  let last: boolean | undefined;
  for (let same = 0; ; ) {
    const isGood = await isSuccess(name, probe, { target, listener, signal });
    if (isGood !== undefined) {
      same = isGood === last ? same + 1 : 1;
      last = isGood;
      if (same >= (isGood ? successThreshold : failureThreshold)) yield isGood;
    }
    if (await comesBefore(name, probe, { target, listener, signal, last, began })) {
      last = true;
      same = 1;
      yield true;
      await delay(periodSeconds * 1000, undefined, { signal });
    }
  }
}

/**
 * Waits until the next try. Before its first success a cheap probe is asked in between as well, for
 * nobody should wait for what is there; a failure of those counts for nothing.
 */
async function comesBefore(
  name: string,
  probe: Probe,
  options: ProberOptions & { readonly last: boolean | undefined; readonly began: number },
): Promise<boolean> {
  const { target, signal, last, began } = options;
  const end = performance.now() + (probe.periodSeconds ?? 10) * 1000;
  const isEager = name !== "Liveness" && !probe.exec && (probe.successThreshold ?? 1) === 1;
  for (;;) {
    const now = performance.now();
    const left = end - now;
    if (left <= 0) return false;
    const pause = Math.max(eagerMs, (now - began) * eagerShare);
    const wait = isEager && !last ? Math.min(pause, left) : left;
    await delay(wait, undefined, { signal });
    if (!isEager || last || wait === left) continue;
    const failure = await checkProbe(probe, target, signal).catch(() => "unknown");
    signal.throwIfAborted();
    if (failure === undefined) return true;
  }
}

/** Undefined where the probe could not be asked: that counts for nothing. */
async function isSuccess(
  name: string,
  probe: Probe,
  { target, listener, signal }: ProberOptions,
): Promise<boolean | undefined> {
  try {
    const failure = await checkProbe(probe, target, signal);
    signal.throwIfAborted();
    if (failure === undefined) return true;
    listener.unhealthy(`${name} probe failed: ${failure}`);
    return false;
  } catch (error) {
    signal.throwIfAborted();
    const why = messageOf(error);
    listener.unhealthy(`${name} probe errored and resulted in unknown state: ${why}`);
    return undefined;
  }
}
