import type { WebhookClientConfig } from "@rookery/api";
import { describeJsonError } from "@rookery/apiserver";
import {
  Context,
  collectBody,
  createHttpClient,
  type HttpClient,
  type HttpResponse,
  headerValue,
} from "@rookery/http";
import { StatusError, statusErrorFromResponse } from "@rookery/kube";
import { parseUrl } from "@rookery/schema";
import { parseYaml } from "@rookery/yaml";
import { WebhookCallError } from "../errors.ts";
import type { Store } from "../store/store.ts";
import { describeValue } from "../types/reading.ts";
import { goNetworkError } from "./go-network-error.ts";
import { type Address, resolveService } from "./service-resolver.ts";

const typeMeta =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** Parses an object in JSON or YAML. Throws a WebhookCallError with Go's message. */
export function parseAnswer(text: string): object {
  const value = parseJson(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw unreadable(
    `json: cannot unmarshal ${describeValue(value)} into Go value of type ${typeMeta}`,
  );
}

/** Text that is not JSON can be YAML. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parseAsYaml(text);
  }
}

function parseAsYaml(text: string): unknown {
  try {
    return parseYaml(text);
  } catch {
    throw unreadable(describeJsonError(text));
  }
}

function unreadable(why: string): WebhookCallError {
  return new WebhookCallError(`couldn't get version/kind; json parse error: ${why}`);
}

export interface WebhookCall {
  readonly config: WebhookClientConfig;
  readonly body: object;
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
}

/** The URL and the address of a webhook. */
interface Target {
  /** Scheme, host and port in messages. */
  readonly origin: string;
  readonly path: string;
  /** The address to connect to. */
  readonly address: Address;
  /** The name in the certificate, if it differs from the address. */
  readonly servername?: string;
}

const maxAnswerBytes = 3 * 1024 * 1024;
/** Bounds the open connections, because addresses change with pods. */
const maxClients = 64;

/** Sends requests to webhooks and reuses connections. */
export class WebhookClients implements AsyncDisposable {
  readonly #store: Store;
  readonly #clients = new Map<string, HttpClient>();

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Returns the parsed response. Throws a StatusError for an error response, and a WebhookCallError
   * without a readable one, with the messages of kube-apiserver.
   */
  async post({ config, body, timeoutSeconds, signal }: WebhookCall): Promise<unknown> {
    const shown = shownTarget(config);
    const query = `timeout=${timeoutSeconds}s`;
    const fail = (why: string, cause: unknown) =>
      new WebhookCallError(`Post "${shown.origin}${shown.path}?${query}": ${why}`, { cause });
    const target = this.#withAddress(config, shown, fail);
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutSeconds * 1000)]);
    try {
      const response = await this.#clientOf(target, config.caBundle).handler({
        method: "POST",
        path: target.path,
        query,
        headers: {
          accept: "application/json, */*",
          "content-type": "application/json",
          host: target.origin.slice("https://".length),
        },
        body: Buffer.from(JSON.stringify(body)),
        signal: deadline,
        context: Context.empty,
      });
      return await readAnswer(response);
    } catch (error) {
      if (error instanceof WebhookCallError || error instanceof StatusError) throw error;
      throw fail(goNetworkError(deadline.aborted ? deadline.reason : error, target.address), error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    await Promise.all(clients.map((client) => client.destroy()));
  }

  #withAddress(
    { service }: WebhookClientConfig,
    shown: Target,
    fail: (why: string, cause: unknown) => WebhookCallError,
  ): Target {
    if (!service) return shown;
    const { namespace = "", name = "", port = 443 } = service;
    try {
      return { ...shown, address: resolveService(this.#store, { namespace, name, port }) };
    } catch (error) {
      throw fail(error instanceof Error ? error.message : String(error), error);
    }
  }

  #clientOf({ address, servername }: Target, caBundle = ""): HttpClient {
    const key = JSON.stringify([address, servername, caBundle]);
    const known = this.#clients.get(key);
    // Keeps the map in the order of use.
    this.#clients.delete(key);
    const client = known ?? createClient(address, servername, caBundle);
    this.#clients.set(key, client);
    const [oldest] = this.#clients;
    if (this.#clients.size > maxClients && oldest) {
      this.#clients.delete(oldest[0]);
      void oldest[1].close();
    }
    return client;
  }
}

function createClient(
  { host, port }: Address,
  servername: string | undefined,
  caBundle: string,
): HttpClient {
  const ca = Buffer.from(caBundle, "base64").toString("utf8");
  return createHttpClient({
    origin: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
    tls: { ...(ca && { ca }), ...(servername && { servername }) },
    limits: { answerBytes: maxAnswerBytes },
  });
}

function shownTarget({ url, service }: WebhookClientConfig): Target {
  if (service) {
    const { name = "", namespace = "", port = 443, path = "" } = service;
    const servername = `${name}.${namespace}.svc`;
    const origin = `https://${servername}:${port}`;
    return { origin, path: path || "/", address: { host: servername, port }, servername };
  }
  const { host, escapedPath } = parseUrl(url ?? "");
  const { hostname, port } = new URL(`https://${host}`);
  const address = { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 443) };
  return { origin: `https://${host}`, path: escapedPath || "/", address };
}

async function readAnswer(response: HttpResponse): Promise<unknown> {
  const { status, headers } = response;

  const body = await collectBody(response.body, { limit: maxAnswerBytes });
  const contentType = headerValue(headers, "content-type") ?? "";
  if (status < 200 || status > 206) {
    throw statusErrorFromResponse({ httpStatus: status, body, contentType, method: "POST" });
  }
  if (body.length === 0) {
    const what = `0-length response with status code: ${status} and content type: ${contentType}`;
    throw new WebhookCallError(what);
  }
  return parseAnswer(Buffer.from(body).toString("utf8"));
}
