import { get as httpGet } from "node:http";
import { get as httpsGet } from "node:https";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { type Container, type Probe, portNumber } from "./pod.ts";

/** How often is asked until the first success: a test should not wait for what is there. */
const eagerness = 100;

/** What probes find out about a container, told as it changes. */
export interface ProbeListener {
  started(): void;
  ready(isReady: boolean): void;
  /** The container has to be restarted. */
  failed(reason: string): void;
}

/**
 * Asks the probes of a container at its pod's address until the signal: startup first, then readiness
 * and liveness. Before its first success a probe is asked more often than it says; what it may take
 * altogether is as it says.
 */
export async function probeContainer(
  container: Container,
  address: string,
  { listener, signal }: { readonly listener: ProbeListener; readonly signal: AbortSignal },
): Promise<void> {
  const { startupProbe, readinessProbe, livenessProbe } = container;
  const ask = (probe: Probe) => succeeds(probe, { container, address, signal });
  try {
    if (startupProbe && !(await becomesTrue(startupProbe, ask, signal))) {
      return listener.failed("startup probe failed");
    }
    listener.started();
    if (!readinessProbe) listener.ready(true);
    await Promise.all([
      readinessProbe && followReadiness(readinessProbe, { ask, listener, signal }),
      livenessProbe && followLiveness(livenessProbe, { ask, listener, signal }),
    ]);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

type Ask = (probe: Probe) => Promise<boolean>;

interface Following {
  readonly ask: Ask;
  readonly listener: ProbeListener;
  readonly signal: AbortSignal;
}

async function becomesTrue(probe: Probe, ask: Ask, signal: AbortSignal): Promise<boolean> {
  const end = performance.now() + period(probe) * threshold(probe);
  while (!(await ask(probe))) {
    if (performance.now() > end) return false;
    await delay(eagerness, undefined, { signal });
  }
  return true;
}

async function followReadiness(probe: Probe, { ask, listener, signal }: Following): Promise<void> {
  let failures = 0;
  let ready = false;
  for (;;) {
    const good = await ask(probe);
    failures = good ? 0 : failures + 1;
    const now: boolean = good || (ready && failures < threshold(probe));
    if (now !== ready) listener.ready(now);
    ready = now;
    await delay(ready ? period(probe) : eagerness, undefined, { signal });
  }
}

async function followLiveness(probe: Probe, { ask, listener, signal }: Following): Promise<void> {
  for (let failures = 0; failures < threshold(probe); ) {
    await delay(period(probe), undefined, { signal });
    failures = (await ask(probe)) ? 0 : failures + 1;
  }
  listener.failed("liveness probe failed");
}

function period(probe: Probe): number {
  return (probe.periodSeconds ?? 10) * 1000;
}

function threshold(probe: Probe): number {
  return probe.failureThreshold ?? 3;
}

interface ProbeTarget {
  readonly container: Container;
  readonly address: string;
  readonly signal: AbortSignal;
}

function succeeds(probe: Probe, target: ProbeTarget): Promise<boolean> {
  const port = portNumber(probe.httpGet?.port ?? probe.tcpSocket?.port ?? 0, [target.container]);
  const timeout = (probe.timeoutSeconds ?? 1) * 1000;
  const signal = AbortSignal.any([target.signal, AbortSignal.timeout(timeout)]);
  if (!probe.httpGet) return connects(target.address, port, signal);
  const { scheme = "HTTP", path = "/" } = probe.httpGet;
  return answers(`${scheme.toLowerCase()}://${target.address}:${port}${path}`, signal);
}

function answers(url: string, signal: AbortSignal): Promise<boolean> {
  const get = url.startsWith("https:") ? httpsGet : httpGet;
  return new Promise((resolve) => {
    // As a kubelet: it does not know the certificate's authority.
    const settings = { rejectUnauthorized: false, agent: false as const, signal };
    const request = get(url, settings, (response) => {
      response.resume();
      const { statusCode = 0 } = response;
      resolve(statusCode >= 200 && statusCode < 400);
    });
    request.once("error", () => resolve(false));
  });
}

function connects(host: string, port: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, signal });
    const settle = (good: boolean) => {
      socket.destroy();
      resolve(good);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
  });
}
