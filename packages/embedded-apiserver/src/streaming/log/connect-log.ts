import type { Readable } from "node:stream";
import {
  type ConnectRequest,
  type LogOptions,
  parseOption,
  type ServedConnect,
} from "@rookery/apiserver";
import type { BodyWriter, HttpResponse } from "@rookery/http";
import {
  booleanOption,
  FieldError,
  fieldPath,
  formatTime,
  invalidError,
  optionalInteger,
  parseQuery,
  parseTime,
} from "@rookery/kube";
import type { StreamingContext } from "../target/pod-target.ts";
import { containerOf, nodeNameOf, podOf, podReference, streamsOf } from "../target/pod-target.ts";

/** pods/log. */
export function connectLog(context: StreamingContext): ServedConnect {
  return { methods: ["GET"], connect: (request) => answer(request, context) };
}

async function answer(request: ConnectRequest, context: StreamingContext): Promise<HttpResponse> {
  const { http, name, draining } = request;
  const query = parseQuery(http.query);
  const { container: named, ...options } = readLogOptions(query, name);
  const pod = podOf(context.store, request);
  const container = containerOf(pod, named);
  // A pod without a node has no logs.
  if (nodeNameOf(pod) === "") return { status: 204, headers: {} };
  const streams = streamsOf(context, pod);
  const leaving = new AbortController();
  const signal = AbortSignal.any([request.signal, draining, leaving.signal]);
  const lines = await streams.logs({ ...podReference(pod), container }, options, signal);
  // Errors surface when the stream is read.
  lines.on("error", () => {});
  return {
    status: 200,
    headers: { "content-type": "text/plain" },
    body: writerOf(lines, { leaving, draining }),
  };
}

/** Streams the logs until they end or the client leaves. */
function writerOf(
  lines: Readable,
  { leaving, draining }: { readonly leaving: AbortController; readonly draining: AbortSignal },
): BodyWriter {
  return async (sink) => {
    const leave = () => {
      leaving.abort();
      lines.destroy();
    };
    sink.signal.addEventListener("abort", leave, { once: true });
    draining.addEventListener("abort", leave, { once: true });
    if (sink.signal.aborted) leave();
    try {
      for await (const chunk of lines) {
        if (!sink.write(chunk)) await sink.drained();
      }
    } catch (error) {
      // On shutdown the stream ends cleanly: clients reconnect.
      if (!draining.aborted) throw error;
    } finally {
      leave();
      draining.removeEventListener("abort", leave);
    }
  };
}

/** Parses the query; a missing container is "". Throws kube-apiserver's errors. */
function readLogOptions(
  query: URLSearchParams,
  pod: string,
): LogOptions & { readonly container: string } {
  const numbers = {
    sinceSeconds: optionalInteger(query, "sinceSeconds"),
    tailLines: optionalInteger(query, "tailLines"),
    limitBytes: optionalInteger(query, "limitBytes"),
  };
  const sinceTime = readTime(query.get("sinceTime"));
  const problems = problemsOf({ ...numbers, sinceTime, hasStream: query.has("stream") });
  if (problems.length > 0) throw invalidError({ group: "", kind: "PodLogOptions" }, pod, problems);
  const given = Object.entries({ ...numbers, sinceTime }).filter(
    ([, value]) => value !== undefined,
  );
  return {
    container: query.get("container") ?? "",
    follow: booleanOption(query, "follow"),
    previous: booleanOption(query, "previous"),
    timestamps: booleanOption(query, "timestamps"),
    ...Object.fromEntries(given),
  };
}

/** Go parses an empty time as the zero time. */
function readTime(text: string | null): string | undefined {
  if (text === null) return undefined;
  if (text === "" || text === "null") return "0001-01-01T00:00:00Z";
  return parseOption(() => formatTime(parseTime(text)));
}

interface Limits {
  readonly sinceSeconds: number | undefined;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
  readonly sinceTime: string | undefined;
  readonly hasStream: boolean;
}

function problemsOf({ tailLines, limitBytes, sinceSeconds, sinceTime, hasStream }: Limits) {
  const positive = (name: string, value: number | undefined) =>
    value !== undefined && value < 1
      ? [FieldError.invalid(fieldPath(name), value, "must be greater than 0")]
      : [];
  const both = sinceSeconds !== undefined && sinceTime !== undefined;
  return [
    ...(tailLines !== undefined && tailLines < 0
      ? [FieldError.invalid(fieldPath("tailLines"), tailLines, negative)]
      : []),
    ...positive("limitBytes", limitBytes),
    ...(both ? [FieldError.forbidden(fieldPath(""), atMostOne)] : []),
    ...(both ? [] : positive("sinceSeconds", sinceSeconds)),
    ...(hasStream ? [FieldError.forbidden(fieldPath("stream"), "may not be specified")] : []),
  ];
}

const negative = "must be greater than or equal to 0";
const atMostOne = "at most one of `sinceTime` or `sinceSeconds` may be specified";
