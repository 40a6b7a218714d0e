import { type ClientConfig, createTransport, loadConfig, type Transport } from "@rookery/client";
import { createGroupMapping, renameGroups } from "@rookery/group-suffix";
import { Context, collectBody, headerValue, type Interceptor } from "@rookery/http";
import { protobufMediaType } from "@rookery/kube";
import type { CustomResourceDefinition, Kubernetes } from "@rookery/testing";

export const virtualGroup = "protobuf.zoo.example.org";
export const realGroup = "protobuf.a-rather-long-name-of-team1.example.org";

export const mapping = createGroupMapping([
  { virtual: "zoo.example.org", real: "a-rather-long-name-of-team1.example.org" },
]);

const maxBytes = 2 ** 26;

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

export interface Asking {
  readonly accept?: string;
  readonly body?: Uint8Array | object;
  readonly signal?: AbortSignal;
}

/** Sends requests as they are, to see every byte of the answers. */
export class WireClient implements AsyncDisposable {
  /** The body that the server sent last, before anything was renamed in it. */
  received: Buffer = Buffer.alloc(0);
  readonly #transport: Transport;

  private constructor(config: ClientConfig, outermost: readonly Interceptor[]) {
    const interceptors = [...outermost, this.#tap];
    this.#transport = createTransport(config, { interceptors });
  }

  /** One that speaks to the server itself, or one whose groups are renamed on the way. */
  static async connect(kubernetes: Kubernetes, how: "direct" | "renamed"): Promise<WireClient> {
    const config = await loadConfig({ path: kubernetes.kubeconfig });
    const renaming = how === "renamed" ? renameGroups({ mapping }) : undefined;
    return new WireClient(config, renaming ? [renaming] : []);
  }

  readonly #tap: Interceptor = (next) => async (request) => {
    const response = await next(request);
    if (request.query.includes("watch=true")) return response;
    const body = await collectBody(response.body, { limit: maxBytes });
    this.received = Buffer.from(body);
    return { ...response, body };
  };

  async send(method: string, url: string, asking: Asking = {}): Promise<Answer> {
    const response = await this.open(method, url, asking);
    const body = Buffer.from(await collectBody(response.body, { limit: maxBytes }));
    const type = headerValue(response.headers, "content-type") ?? "";
    return { status: response.status, type, body };
  }

  open(method: string, url: string, { accept = protobufMediaType, body, signal }: Asking) {
    const [path = "", query = ""] = url.split("?");
    const isBytes = body instanceof Uint8Array;
    const bytes = isBytes || body === undefined ? body : Buffer.from(JSON.stringify(body));
    return Promise.resolve(
      this.#transport.handler({
        method,
        path,
        query,
        headers: {
          accept,
          ...(bytes && { "content-type": isBytes ? protobufMediaType : "application/json" }),
        },
        ...(bytes && { body: bytes }),
        signal: signal ?? new AbortController().signal,
        context: Context.empty,
      }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#transport.destroy();
  }
}

/** Nests, in the group of one instance. */
export function nestsCrd(group: string): CustomResourceDefinition {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `nests.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "nests", singular: "nest", kind: "Nest" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object" } },
        },
      ],
    },
  };
}
