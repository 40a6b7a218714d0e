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
  // Asking a signal that follows others takes longer than to write an event.
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
      // An end that was asked for is a clean one.
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

/** Of events that many watchers are told of, by how they are told. */
const lines = new WeakMap<WatchEvent, Map<string, Uint8Array>>();

/** An event is encoded once for all to whom it is sent in the same form. */
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
