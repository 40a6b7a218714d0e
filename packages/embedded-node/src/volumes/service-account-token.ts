import type { Client } from "@rookery/client";
import { builtInResources, type Clock, type KubeObject, parseTime } from "@rookery/kube";
import type { BoundPod } from "../pod/pod.ts";

export interface TokenOptions {
  readonly audience?: string;
  readonly expirationSeconds: number;
}

interface TokenRequest extends KubeObject {
  readonly status?: { readonly token?: string; readonly expirationTimestamp?: string };
}

interface KnownToken {
  readonly token: string;
  readonly renewAt: number;
}

/** A kubelet renews a token when four fifths of its time, or a day, are over. */
const renewedPart = 0.8;
const longestMs = 24 * 60 * 60 * 1000;

/** The tokens of one pod, bound to it; each is asked for once until it should be renewed. */
export class PodTokens {
  readonly #pod: BoundPod;
  readonly #client: Client;
  readonly #now: Clock;
  readonly #known = new Map<string, KnownToken>();

  constructor(pod: BoundPod, { client, now }: { readonly client: Client; readonly now: Clock }) {
    this.#pod = pod;
    this.#client = client;
    this.#now = now;
  }

  async token(options: TokenOptions): Promise<string> {
    const key = JSON.stringify([options.audience, options.expirationSeconds]);
    const known = this.#known.get(key);
    const now = this.#now().getTime();
    if (known && now < known.renewAt) return known.token;
    const { token, expires } = await this.#request(options);
    const lifetime = expires - now;
    const renewAt = now + Math.min(lifetime * renewedPart, longestMs);
    this.#known.set(key, { token, renewAt });
    return token;
  }

  async #request({ audience, expirationSeconds }: TokenOptions) {
    const { metadata, spec } = this.#pod;
    const { namespace = "", name = "", uid = "" } = metadata;
    const account = { namespace, name: spec.serviceAccountName || "default" };
    const request: TokenRequest = {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      metadata: {},
      spec: {
        ...(audience && { audiences: [audience] }),
        expirationSeconds,
        boundObjectRef: { apiVersion: "v1", kind: "Pod", name, uid },
      },
    };
    const accounts = this.#client.resource(builtInResources.serviceAccounts);
    const { status } = await accounts.subresource<TokenRequest>("token").create(account, request);
    const expires = parseTime(status?.expirationTimestamp ?? "").getTime();
    return { token: status?.token ?? "", expires };
  }
}
