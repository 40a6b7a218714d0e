import type { HttpResponse, Sink } from "@rookery/http";
import { type KubeObject, notAcceptableError } from "@rookery/kube";
import { withLineBreak } from "../negotiation/encode.ts";
import { jsonMediaType, negotiateOutput, type Output } from "../negotiation/output.ts";
import { EventStream } from "./event-stream.ts";
import { type Exchange, resourceRequestOf, type VerbHandler } from "./exchange.ts";
import type { ResourceHandlers, WatchEvent, WatchRun } from "./handlers.ts";
import { listOptionsOf } from "./read.ts";
import { allowsConversion, convertResult } from "./result.ts";
import { parseIncludeObject, tableOf } from "./table.ts";

const streamMediaType = `${jsonMediaType};stream=watch`;

/** Without a timeout, a watch ends randomly after up to twice this time. */
const minWatchMs = 1_800_000;

/** Serves a watch as lines of JSON events. */
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
  /** Aborted when the watch ends. */
  readonly signal: AbortSignal;
  readonly stop: () => void;
}

function streamOf(run: WatchRun, stream: Stream): HttpResponse {
  const encode = eventEncoder(stream);
  // A flag is faster than the state of a composed signal.
  let isOver = false;
  stream.signal.addEventListener("abort", () => {
    isOver = true;
  });
  const body = async (sink: Sink) => {
    const lines = new EventStream(sink);
    try {
      await run((event) => (isOver ? undefined : lines.send(encode(event))));
      lines.flush();
    } catch (error) {
      // An end by the signal is clean.
      if (!stream.signal.aborted) throw error;
    } finally {
      stream.stop();
    }
  };
  return { status: 200, headers: { "content-type": jsonMediaType }, body };
}

function eventEncoder(stream: Stream): (event: WatchEvent) => Uint8Array {
  const { convert } = stream.output;
  if (convert === undefined) {
    return (event) => eventLine(event, "", () => encodeWhole(event, stream.exchange));
  }
  if (convert.kind === "Table") return tableEncoder(stream, `meta.k8s.io/${convert.version}`);
  const form = `${convert.kind} ${convert.version}`;
  return (event) => eventLine(event, form, () => encodeMetadata(event, stream));
}

function tableEncoder({ exchange }: Stream, apiVersion: string): (event: WatchEvent) => Uint8Array {
  const includeObject = parseIncludeObject(exchange.http.query);
  let headers = true;
  return ({ type, object }) => {
    const isTable = object.kind !== "Status";
    const shown = isTable
      ? tableOf(object as KubeObject, { exchange, apiVersion, includeObject, headers })
      : object;
    if (isTable) headers = false;
    return Buffer.from(`${JSON.stringify({ type, object: shown })}\n`, "utf8");
  };
}

/** Encoded events by form. */
const lines = new WeakMap<WatchEvent, Map<string, Uint8Array>>();

/** Encodes an event once for all watchers with the same form. */
function eventLine(event: WatchEvent, form: string, encode: () => Uint8Array): Uint8Array {
  const forms = lines.get(event) ?? new Map<string, Uint8Array>();
  const known = forms.get(form);
  if (known) return known;
  const line = withLineBreak(encode());
  lines.set(event, forms.set(form, line));
  return line;
}

function encodeWhole(event: WatchEvent, { services }: Exchange): Uint8Array {
  const { type, object } = event;
  return services.encodedJson(event) ?? Buffer.from(JSON.stringify({ type, object }));
}

function encodeMetadata({ type, object }: WatchEvent, { exchange, output }: Stream): Uint8Array {
  const shown = convertResult(exchange, output.convert, object);
  return Buffer.from(JSON.stringify({ type, object: shown }));
}
