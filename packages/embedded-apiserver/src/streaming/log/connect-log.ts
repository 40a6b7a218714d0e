import type { Readable } from "node:stream";
import type { ConnectRequest, ServedConnect } from "@rookery/apiserver";
import type { BodyWriter, HttpResponse } from "@rookery/http";
import { parseQuery } from "@rookery/kube";
import { containerOf, nodeNameOf, podOf, podReference, streamsOf } from "../target/pod-target.ts";
import type { StreamingContext } from "../target/streaming-context.ts";
import { readLogOptions } from "./log-options.ts";

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
  // A pod that nobody runs has said nothing.
  if (nodeNameOf(pod) === "") return { status: 204, headers: {} };
  const streams = streamsOf(context, pod);
  const leaving = new AbortController();
  const signal = AbortSignal.any([request.signal, draining, leaving.signal]);
  const lines = await streams.logs({ ...podReference(pod), container }, options, signal);
  // Heard by who reads them; until then nobody does.
  lines.on("error", () => {});
  return {
    status: 200,
    headers: { "content-type": "text/plain" },
    body: writerOf(lines, { leaving, draining }),
  };
}

/** Sends what there is and what comes, until it ends or nobody reads it any more. */
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
      // A server that stops ends the stream as if it were whole: clients come again.
      if (!draining.aborted) throw error;
    } finally {
      leave();
      draining.removeEventListener("abort", leave);
    }
  };
}
