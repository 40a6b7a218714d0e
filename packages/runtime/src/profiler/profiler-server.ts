import { Session } from "node:inspector/promises";
import { getHeapSnapshot } from "node:v8";
import type { Handler, HttpRequest, HttpResponse } from "@rookery/http";
import { type MonotonicClock, systemClock } from "../clock/clock.ts";
import { sleep } from "../clock/sleep.ts";
import type { BindAddress } from "../http-server/bind-address.ts";
import { readOnly, routeByPath, textResponse } from "../http-server/handlers.ts";
import { createPlainServer, type PlainServer } from "../http-server/plain-server.ts";
import type { Logger } from "../logging/logger.ts";

interface ProfilerServerOptions {
  /** From --profiler-address. Without a host only this machine can connect: a heap contains secrets. */
  readonly address: BindAddress;
  readonly logger?: Logger;
}

/** Serves profiles of this process. */
export function createProfilerServer({ address, ...options }: ProfilerServerOptions): PlainServer {
  return createPlainServer({
    ...options,
    name: "profiler server",
    address: { ...address, host: address.host || "127.0.0.1" },
    handler: createProfilerHandler(),
  });
}

const index = `/debug/profile?seconds=30  where the time goes, as .cpuprofile
/debug/heap                what memory holds, as .heapsnapshot; the process stands still meanwhile
Both open in the developer tools of Chrome.
`;

const defaultSeconds = 30;
const maxSeconds = 300;

/** Answers below /debug/ with profiles of this process. */
export function createProfilerHandler(clock: MonotonicClock = systemClock): Handler {
  return routeByPath(
    new Map([
      ["/debug/", readOnly(() => textResponse(200, index))],
      ["/debug/profile", readOnly(createProfile(clock))],
      ["/debug/heap", readOnly(heapSnapshot)],
    ]),
  );
}

function createProfile(clock: MonotonicClock): Handler {
  let isBusy = false;
  return async (request) => {
    const seconds = secondsOf(request);
    if (seconds === undefined) {
      return textResponse(400, `seconds must be a number above 0, up to ${maxSeconds}\n`);
    }
    if (isBusy) return textResponse(409, "a profile is being taken already\n");
    isBusy = true;
    try {
      return attachment("process.cpuprofile", await profile(seconds, clock, request.signal));
    } finally {
      isBusy = false;
    }
  };
}

function secondsOf({ query }: HttpRequest): number | undefined {
  const seconds = Number(new URLSearchParams(query).get("seconds") ?? defaultSeconds);
  return seconds > 0 && seconds <= maxSeconds ? seconds : undefined;
}

async function profile(
  seconds: number,
  clock: MonotonicClock,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.start");
    await sleep(seconds * 1000, clock, signal);
    const { profile } = await session.post("Profiler.stop");
    return Buffer.from(JSON.stringify(profile));
  } finally {
    session.disconnect();
  }
}

function heapSnapshot(): HttpResponse {
  return attachment("process.heapsnapshot", async (sink) => {
    for await (const chunk of getHeapSnapshot()) {
      if (!sink.write(Buffer.from(chunk))) await sink.drained();
    }
  });
}

function attachment(name: string, body: NonNullable<HttpResponse["body"]>): HttpResponse {
  const headers = {
    "content-type": "application/json",
    "content-disposition": `attachment; filename="${name}"`,
  };
  return { status: 200, headers, body };
}
