import { once } from "node:events";
import { createGunzip, type Gunzip } from "node:zlib";
import {
  type Body,
  type BodyWriter,
  type HttpHeaders,
  headerValue,
  type Interceptor,
  type Sink,
  singleUse,
  writeBody,
} from "@rookery/http";
import { isLongRunning } from "./long-running.ts";

/**
 * Requests gzip and decompresses it. kube-apiserver compresses responses of more than 128 KiB,
 * which only pays on a slow network.
 */
export function acceptGzip(): Interceptor {
  return (next) => async (request) => {
    const { headers } = request;
    if (headers["accept-encoding"] !== undefined || isLongRunning(request)) return next(request);
    const response = await next({ ...request, headers: { ...headers, "accept-encoding": "gzip" } });
    if (headerValue(response.headers, "content-encoding") !== "gzip") return response;
    const { body } = response;
    if (body === undefined) return response;
    return { ...response, headers: unpackedHeaders(response.headers), body: gunzipped(body) };
  };
}

function unpackedHeaders(headers: HttpHeaders): HttpHeaders {
  const { "content-encoding": _, "content-length": __, ...rest } = headers;
  return rest;
}

function gunzipped(body: Body): BodyWriter {
  return singleUse(async (sink) => {
    const gunzip = createGunzip();
    const done = drainInto(gunzip, sink);
    // Awaited below.
    done.catch(() => {});
    const packed = new PackedSink(gunzip);
    const onGone = () => gunzip.destroy(sink.signal.reason);
    sink.signal.addEventListener("abort", onGone, { once: true });
    try {
      await writeBody(body, packed);
      gunzip.end();
      await done;
    } finally {
      sink.signal.removeEventListener("abort", onGone);
      gunzip.destroy();
    }
  });
}

function drainInto(gunzip: Gunzip, sink: Sink): Promise<void> {
  return new Promise((resolve, reject) => {
    gunzip.on("data", (chunk: Buffer) => {
      if (sink.write(chunk)) return;
      gunzip.pause();
      sink.drained().then(() => gunzip.resume(), reject);
    });
    gunzip.once("end", resolve).once("error", reject);
  });
}

/** Aborted for invalid gzip, or when the reader is gone. */
class PackedSink implements Sink {
  readonly #gunzip: Gunzip;
  readonly #gone = new AbortController();

  constructor(gunzip: Gunzip) {
    this.#gunzip = gunzip;
    gunzip.once("error", (error) => this.#gone.abort(error));
  }

  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  write(chunk: Uint8Array): boolean {
    return !this.#gunzip.destroyed && this.#gunzip.write(chunk);
  }

  drained(): Promise<void> {
    if (this.signal.aborted) return Promise.reject(this.signal.reason);
    if (!this.#gunzip.writableNeedDrain) return Promise.resolve();
    return once(this.#gunzip, "drain").then(() => {});
  }
}
