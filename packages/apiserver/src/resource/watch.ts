import type { HttpResponse, Sink } from "@rookery/http";
import { type KubeObject, notAcceptableError } from "@rookery/kube";
import { jsonMediaType, negotiateOutput, type Output } from "../negotiation/output.ts";
import { type Exchange, resourceRequestOf, type VerbHandler } from "./exchange.ts";
import type { ResourceHandlers, WatchEvent, WatchRun } from "./handlers.ts";
import { listOptionsOf } from "./read.ts";
import { allowsConversion, convertResult } from "./result.ts";
import { parseIncludeObject, tableOf } from "./table.ts";

const streamMediaType = `${jsonMediaType};stream=watch`;

/** A watch without a limit of its own ends at a random time up to twice this. */
const minWatchMs = 1_800_000;

/** Serves a watch: one event a line, for as long as the client wants and the server lives. */
export function watchVerb(watch: NonNullable<ResourceHandlers["watch"]>): VerbHandler {
  return async (exchange) => {
    const { http, services } = exchange;
    const options = { ...listOptionsOf(exchange), watch: true };
    const output = negotiateOutput(http, allowsConversion);
    if (output.mediaType !== jsonMediaType) throw notAcceptableError([streamMediaType]);
    const timeoutMs = (options.timeoutSeconds ?? 0) * 1000 || minWatchMs * (1 + Math.random());
    const ended = new AbortController();
    const timer = services.timers.setTimer(() => ended.abort(), timeoutMs);
    const signal = AbortSignal.any([http.signal, ended.signal, services.draining]);
    try {
      const run = await watch({ ...resourceRequestOf(exchange), signal, options });
      return streamOf(run, { exchange, output, signal, stop: () => timer.stop() });
    } catch (error) {
      timer.stop();
      throw error;
    }
  };
}

interface Stream {
  readonly exchange: Exchange;
  readonly output: Output;
  /** Aborted when the watch ends, for whatever reason. */
  readonly signal: AbortSignal;
  readonly stop: () => void;
}

function streamOf(run: WatchRun, stream: Stream): HttpResponse {
  const encode = eventEncoder(stream);
  const body = async (sink: Sink) => {
    try {
      await run(async (event) => {
        if (stream.signal.aborted) return;
        if (!sink.write(encode(event))) await sink.drained();
      });
    } catch (error) {
      // An end that was asked for is a clean one.
      if (!stream.signal.aborted) throw error;
    } finally {
      stream.stop();
    }
  };
  return { status: 200, headers: { "content-type": jsonMediaType }, body };
}

function eventEncoder({ exchange, output }: Stream): (event: WatchEvent) => Uint8Array {
  const includeObject =
    output.convert?.kind === "Table" ? parseIncludeObject(exchange.http.query) : "";
  let headers = true;
  return ({ type, object }) => {
    const isTable = output.convert?.kind === "Table" && object.kind !== "Status";
    const apiVersion = `meta.k8s.io/${output.convert?.version}`;
    const shown = isTable
      ? tableOf(object as KubeObject, { exchange, apiVersion, includeObject, headers })
      : convertResult(exchange, output.convert, object);
    if (isTable) headers = false;
    return Buffer.from(`${JSON.stringify({ type, object: shown })}\n`, "utf8");
  };
}
