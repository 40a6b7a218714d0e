import type { IncomingMessage } from "node:http";
import { Agent, request as httpsRequest } from "node:https";
import type { Credentials, KubernetesResponse, RequestOptions, WatchEvent } from "../kubernetes.ts";

export interface Endpoint {
  readonly server: string;
  readonly ca: string;
  readonly admin: Credentials;
}

/** HTTP to one API server, with connections kept per user. */
export class Transport {
  readonly #endpoint: Endpoint;
  readonly #agents = new Map<string, Agent>();

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  async request(
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<KubernetesResponse> {
    const response = await this.#send(method, path, options);
    const text = await readText(response);
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: isJson(response) ? JSON.parse(text) : text,
    };
  }

  async *watch(path: string, options: RequestOptions = {}): AsyncGenerator<WatchEvent, void, void> {
    const query = `${path.includes("?") ? "&" : "?"}watch=true`;
    const response = await this.#send("GET", path + query, options);
    try {
      if (response.statusCode !== 200) {
        throw new Error(
          `could not watch ${path}: ${response.statusCode} ${await readText(response)}`,
        );
      }
      for await (const line of readLines(response)) yield JSON.parse(line) as WatchEvent;
    } finally {
      response.destroy();
    }
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }

  #send(method: string, path: string, options: RequestOptions): Promise<IncomingMessage> {
    const body = encodeBody(options.body);
    const settings = {
      method,
      agent: this.#agentOf(options.as ?? this.#endpoint.admin),
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : contentHeaders(body, contentType(method, options))),
        ...options.headers,
      },
      ...(options.signal ? { signal: options.signal } : {}),
    };
    return new Promise((resolve, reject) => {
      const request = httpsRequest(this.#endpoint.server + path, settings, resolve);
      request.once("error", (cause) =>
        reject(new Error(`could not ${method} ${path}: ${cause.message}`, { cause })),
      );
      request.end(body);
    });
  }

  #agentOf(who: Credentials | "anonymous"): Agent {
    const name = who === "anonymous" ? who : who.certificate;
    const known = this.#agents.get(name);
    if (known) return known;
    const client = who === "anonymous" ? {} : { cert: who.certificate, key: who.key };
    const agent = new Agent({ ca: this.#endpoint.ca, ...client, keepAlive: true });
    this.#agents.set(name, agent);
    return agent;
  }
}

/** The length is told: Node leaves it out with DELETE, and the body would be taken for a request. */
function contentHeaders(body: string | Uint8Array, type: string): Record<string, string> {
  return { "content-type": type, "content-length": String(Buffer.byteLength(body)) };
}

function contentType(method: string, options: RequestOptions): string {
  if (options.contentType) return options.contentType;
  return method === "PATCH" ? "application/merge-patch+json" : "application/json";
}

function encodeBody(body: unknown): string | Uint8Array | undefined {
  if (body === undefined || typeof body === "string" || body instanceof Uint8Array) return body;
  return JSON.stringify(body);
}

function isJson(response: IncomingMessage): boolean {
  return /^application\/([\w.-]+\+)?json\b/.test(response.headers["content-type"] ?? "");
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

async function* readLines(response: IncomingMessage): AsyncGenerator<string, void, void> {
  let rest = "";
  for await (const chunk of response.setEncoding("utf8")) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
