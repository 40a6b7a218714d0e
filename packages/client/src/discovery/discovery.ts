import { discardBody, type Handler, type HttpResponse, headerValue } from "@rookery/http";
import { parseAnswer, type Question, requestOf, successOf } from "../resource/exchange.ts";
import {
  type APIGroupDiscoveryList,
  acceptAggregated,
  isAggregated,
  readAggregated,
} from "./aggregated.ts";
import { type APIGroupList, type APIVersions, legacyGroups, legacyResources } from "./legacy.ts";
import { type ApiGroup, type ApiResources, joinApiResources } from "./resource-index.ts";

export interface DiscoveryOptions {
  /** Disables aggregated discovery. */
  readonly legacy?: boolean;
}

export interface Discovery {
  /** Unchanged responses are not sent again (ETag). */
  discover(options?: { readonly signal?: AbortSignal }): Promise<ApiResources>;
}

/** All resources, or only the groups. */
type Answer = { readonly all: ApiResources } | { readonly groups: readonly ApiGroup[] };

export function createDiscovery(handler: Handler, options: DiscoveryOptions = {}): Discovery {
  const endpoints = [
    new Endpoint(handler, "/api", options),
    new Endpoint(handler, "/apis", options),
  ];
  return {
    async discover({ signal } = {}) {
      const answers = await Promise.all(endpoints.map((endpoint) => endpoint.ask(signal)));
      const parts = answers.map((answer) =>
        "all" in answer ? answer.all : legacyResources(handler, answer.groups, signal),
      );
      return joinApiResources(await Promise.all(parts));
    },
  };
}

/** One half of discovery, cached by ETag. */
class Endpoint {
  readonly #handler: Handler;
  readonly #question: { method: string; path: string; accept: string };
  #kept: { readonly etag: string; readonly answer: Answer } | undefined;

  constructor(handler: Handler, path: string, { legacy }: DiscoveryOptions) {
    this.#handler = handler;
    this.#question = {
      method: "GET",
      path,
      accept: legacy ? "application/json" : acceptAggregated,
    };
  }

  async ask(signal: AbortSignal | undefined): Promise<Answer> {
    const kept = this.#kept;
    const headers = kept ? { "if-none-match": kept.etag } : {};
    const question: Question = { ...this.#question, headers, signal };
    const response = await this.#handler(requestOf(question));
    // An aggregated API server may have no /api.
    if (response.status === 304 || response.status === 404) {
      await discardBody(response.body);
      return response.status === 304 && kept ? kept.answer : { groups: [] };
    }
    return this.#keep(await successOf(response, question), question);
  }

  async #keep(response: HttpResponse, question: Question): Promise<Answer> {
    const contentType = headerValue(response.headers, "content-type") ?? "";
    const etag = headerValue(response.headers, "etag");
    const answer = readAnswer(await parseAnswer(response, question), contentType);
    this.#kept = etag && "all" in answer ? { etag, answer } : undefined;
    return answer;
  }
}

function readAnswer(parsed: unknown, contentType: string): Answer {
  if (isAggregated(contentType)) return { all: readAggregated(parsed as APIGroupDiscoveryList) };
  return { groups: legacyGroups(parsed as APIVersions | APIGroupList) };
}
