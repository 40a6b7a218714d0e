import {
  type Body,
  Context,
  collectBody,
  createHttpClient,
  type HttpClient,
  type HttpResponse,
  headerValue,
  noLimits,
} from "@rookery/http";
import type { Credentials, KubernetesResponse, RequestOptions, WatchEvent } from "../kubernetes.ts";
import { bodyLines } from "./body-lines.ts";

const bodyLimit = 256 * 1024 * 1024;

export interface Endpoint {
  readonly server: string;
  readonly ca: string;
  readonly admin: Credentials;
}

/** HTTP to one API server, with connections kept for each user. */
export class Transport implements AsyncDisposable {
  readonly #endpoint: Endpoint;
  readonly #clients = new Map<string, HttpClient>();

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  async request(
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<KubernetesResponse> {
    const { status, headers, body } = await this.#send(method, path, options);
    const text = await readText(body);
    const isJson = /^application\/([\w.-]+\+)?json\b/.test(
      headerValue(headers, "content-type") ?? "",
    );
    return { status, headers, body: isJson ? JSON.parse(text) : text };
  }

  async *watch(path: string, options: RequestOptions = {}): AsyncGenerator<WatchEvent, void, void> {
    const query = `${path.includes("?") ? "&" : "?"}watch=true`;
    const { status, body } = await this.#send("GET", path + query, options);
    if (status !== 200) {
      throw new Error(`could not watch ${path}: ${status} ${await readText(body)}`);
    }
    for await (const line of bodyLines(body)) yield JSON.parse(line) as WatchEvent;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    await Promise.all(clients.map((client) => client.destroy()));
  }

  async #send(method: string, target: string, options: RequestOptions): Promise<HttpResponse> {
    const [, path = "", query = ""] = /^([^?]*)\??(.*)$/.exec(target) ?? [];
    const body = encodeBody(options.body);
    return this.#clientOf(options.as ?? this.#endpoint.admin).handler({
      method,
      path,
      query,
      headers: {
        accept: "application/json",
        ...(body && { "content-type": contentType(method, options) }),
        ...options.headers,
      },
      body,
      signal: options.signal ?? new AbortController().signal,
      context: Context.empty,
    });
  }

  #clientOf(who: Credentials | "anonymous"): HttpClient {
    const name = who === "anonymous" ? who : who.certificate;
    const known = this.#clients.get(name);
    if (known) return known;
    const { server: origin, ca } = this.#endpoint;
    const user = who === "anonymous" ? {} : { cert: who.certificate, key: who.key };
    const client = createHttpClient({ origin, tls: { ca, ...user }, limits: noLimits });
    this.#clients.set(name, client);
    return client;
  }
}

function contentType(method: string, options: RequestOptions): string {
  if (options.contentType) return options.contentType;
  return method === "PATCH" ? "application/merge-patch+json" : "application/json";
}

function encodeBody(body: unknown): Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

async function readText(body: Body): Promise<string> {
  return Buffer.from(await collectBody(body, { limit: bodyLimit })).toString("utf8");
}
