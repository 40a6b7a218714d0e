import { get as httpGet } from "node:http";
import { get as httpsGet } from "node:https";
import { ProcessEndedError } from "../errors.ts";
import { type Child, type ChildOptions, startChild } from "../process/child.ts";
import { lastLines } from "../process/last-lines.ts";
import { waitFor } from "../process/wait-for.ts";
import { noProgress, type Progress } from "../progress.ts";

const patience = 120_000;

export interface HealthOptions {
  readonly url: string;
  /** The authority to trust, in PEM; a function is asked each time, and may throw before it is there. */
  readonly ca?: string | (() => string);
  /** A Unix socket to ask instead of the URL's host. */
  readonly socketPath?: string;
  readonly progress?: Progress;
}

/**
 * Starts a process and waits until it answers 200 at its health endpoint. If it ends before, or is
 * not healthy in time, the error has the last lines of its log and the process is gone.
 */
export async function startHealthyChild(
  options: ChildOptions,
  health: HealthOptions,
): Promise<Child> {
  const child = await startChild(options);
  try {
    (health.progress ?? noProgress)(`waiting for ${child.name}`);
    await waitUntilHealthy(child, health);
    return child;
  } catch (error) {
    await child.kill();
    throw error;
  }
}

async function waitUntilHealthy(child: Child, health: HealthOptions): Promise<void> {
  await waitFor(
    async () => {
      child.assertRunning();
      return (await statusOf(health, child.ended)) === 200;
    },
    {
      what: `${child.name} to be ready at ${health.url}`,
      timeout: patience,
      fatal: (error) => error instanceof ProcessEndedError,
      detail: () => lastLines(child.log),
    },
  );
}

/** Gives up when the process ends: someone else may hold its address and never answer. */
async function statusOf(health: HealthOptions, ended: AbortSignal): Promise<number> {
  const { url, progress: _, ca, ...rest } = health;
  const get = url.startsWith("https:") ? httpsGet : httpGet;
  const trusted = typeof ca === "function" ? ca() : ca;
  return new Promise((resolve, reject) => {
    const request = get(
      url,
      { ...rest, ...(trusted && { ca: trusted }), agent: false, timeout: 5_000, signal: ended },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    request.once("timeout", () => request.destroy(new Error(`${url} did not answer within 5 s`)));
    request.once("error", reject);
  });
}
