import { isDeepStrictEqual } from "node:util";
import { compileSchema, type JSONObject, type StructuralSchema } from "@rookery/schema";
import type { Kubernetes } from "@rookery/testing";
import type { Kind } from "./crd.ts";
import { ourVerdict, type Request, serverVerdict, type Verdict } from "./verdict.ts";

/** A request on which the two do not agree. */
export interface Difference {
  readonly name: string;
  readonly ours: Verdict;
  readonly theirs: Verdict;
}

/** Asks a real server and this package the same things. */
export class Comparison {
  readonly #kubernetes: Kubernetes;
  readonly #kind: Kind;
  readonly #schema: StructuralSchema;

  constructor(kubernetes: Kubernetes, kind: Kind) {
    this.#kubernetes = kubernetes;
    this.#kind = kind;
    this.#schema = compileSchema(kind.schema);
  }

  /** Both verdicts; nothing is stored. */
  async ask(request: Request): Promise<{ ours: Verdict; theirs: Verdict }> {
    const ours = ourVerdict(this.#schema, request);
    const validation = request.strict ? "Strict" : "Ignore";
    const query = `dryRun=All&fieldValidation=${validation}`;
    const { path } = this.#kind;
    const { name } = (request.old?.metadata ?? {}) as { name?: string };
    const target = name === undefined ? path : `${path}/${name}`;
    const at = request.subresource ? `${target}/${request.subresource}` : target;
    const method = name === undefined ? "POST" : "PUT";
    const response = await this.#kubernetes.request(method, `${at}?${query}`, {
      body: request.object,
    });
    return { ours, theirs: serverVerdict(response) };
  }

  /** Stores an object and returns it as it is stored. */
  async store(object: JSONObject): Promise<JSONObject> {
    const { status, body } = await this.#kubernetes.request("POST", this.#kind.path, {
      body: object,
    });
    if (status !== 201) throw new Error(`could not store an object: ${body.message}`);
    return body;
  }

  /** The differences among many requests, asked several at a time. */
  async differences(requests: Readonly<Record<string, Request>>): Promise<readonly Difference[]> {
    const queue = Object.entries(requests);
    const found: Difference[] = [];
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const [name, request] = next;
        const { ours, theirs } = await this.ask(request);
        if (!isDeepStrictEqual(ours, theirs)) found.push({ name, ours, theirs });
      }
    };
    await Promise.all(Array.from({ length: 12 }, work));
    return found;
  }
}
