import {
  type Body,
  bodyLength,
  contextKey,
  type Interceptor,
  type Sink,
  singleUse,
  writeBody,
} from "@rookery/http";
import type { ListenerMetrics } from "./proxy-metrics.ts";

type Metrics = Pick<ListenerMetrics, "renamed">;

/** The bodies of one exchange behind the renaming. */
interface FarSide {
  response?: Body;
}

const farSideKey = contextKey<FarSide>("bodies behind the renaming");

/** Counts bodies around the renaming; unchanged bodies are not counted. */
export function countRenamedBytes(rename: Interceptor, metrics: Metrics): readonly Interceptor[] {
  return [nearSide(metrics), rename, farSide(metrics)];
}

function nearSide(metrics: Metrics): Interceptor {
  return (next) => async (request) => {
    const far: FarSide = {};
    const response = await next({ ...request, context: request.context.with(farSideKey, far) });
    const { body } = response;
    if (body === undefined || body === far.response) return response;
    return { ...response, body: counted(body, metrics) };
  };
}

function farSide(metrics: Metrics): Interceptor {
  return (next) => async (request) => {
    const length = bodyLength(request.body);
    // Only renamed requests are read as a whole.
    if (length) metrics.renamed("request", length);
    const response = await next(request);
    const far = request.context.get(farSideKey);
    if (far) far.response = response.body;
    return response;
  };
}

function counted(body: Body, metrics: Metrics): Body {
  if (typeof body === "function") {
    return singleUse((sink) => writeBody(body, countingSink(sink, metrics)));
  }
  metrics.renamed("response", bodyLength(body) ?? 0);
  return body;
}

function countingSink(sink: Sink, metrics: Metrics): Sink {
  return {
    signal: sink.signal,
    drained: () => sink.drained(),
    write(chunk) {
      metrics.renamed("response", chunk.byteLength);
      return sink.write(chunk);
    },
  };
}
