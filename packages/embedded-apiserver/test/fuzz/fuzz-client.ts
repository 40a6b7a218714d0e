import { Agent, request as httpsRequest } from "node:https";
import type { Kubernetes } from "@rookery/testing";
import type { FuzzRequest } from "./requests.ts";

export interface FuzzAnswer {
  /** 0 where the client left before there was one. */
  readonly status: number;
  readonly text: string;
}

/** How long anything may take before it counts as a hang. */
const patienceMs = 60_000;
/** What goes on for as long as one likes is left after this. */
const streamMs = 30;

/** Sends requests as they are, over connections that are kept. */
export class FuzzClient implements Disposable {
  readonly #agent: Agent;
  readonly #server: URL;

  constructor(
    { server, ca, admin }: Pick<Kubernetes, "server" | "ca" | "admin">,
    connections: number,
  ) {
    this.#server = new URL(server);
    this.#agent = new Agent({
      keepAlive: true,
      maxSockets: connections,
      ca,
      cert: admin.certificate,
      key: admin.key,
      // One who leaves in the middle of a body takes the connection along.
      scheduling: "lifo",
    });
  }

  /** Rejects where there is no answer though the client stayed. */
  ask({ method, path, query, headers, body, cutAfter }: FuzzRequest): Promise<FuzzAnswer> {
    const target = query === "" ? path : `${path}?${query}`;
    const { promise, resolve, reject } = Promise.withResolvers<FuzzAnswer>();
    const sent = httpsRequest({
      method,
      agent: this.#agent,
      host: this.#server.hostname,
      port: this.#server.port,
      path: Buffer.from(target)
        .toString("latin1")
        .replace(/[^!-\u00ff]/g, "+"),
      headers: {
        ...latin1(headers),
        ...(body && { "content-type": body.contentType, "content-length": body.bytes.length }),
      },
    });
    const timer = setTimeout(
      () => sent.destroy(new Error(`no answer in ${patienceMs} ms`)),
      patienceMs,
    );
    const end = (answer: FuzzAnswer) => {
      clearTimeout(timer);
      resolve(answer);
    };
    sent.on("response", (response) => {
      const status = response.statusCode ?? 0;
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      const done = () => end({ status, text: Buffer.concat(chunks).toString("utf8") });
      response.on("end", done).on("error", done);
      if (status === 200 && /watch|follow/.test(target)) {
        setTimeout(() => {
          done();
          sent.destroy();
        }, streamMs).unref();
      }
    });
    sent.on("upgrade", (response, socket) => {
      socket.on("error", () => {}).destroy();
      end({ status: response.statusCode ?? 0, text: "" });
    });
    sent.on("error", (error) => {
      clearTimeout(timer);
      if (cutAfter === undefined) reject(error);
      else resolve({ status: 0, text: "" });
    });
    if (cutAfter === undefined || !body) sent.end(body?.bytes);
    else {
      sent.write(body.bytes.subarray(0, Math.min(cutAfter, body.bytes.length - 1)), () =>
        sent.destroy(),
      );
    }
    return promise;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

/** Node refuses to send other characters; those who could are heard elsewhere. */
function latin1(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value.replace(/[^\t -~\u0080-\u00ff]/g, "?"),
    ]),
  );
}
