import type { Provider } from "@rookery/api";
import { type Client, createClientOver } from "@rookery/client";
import { applyMergePatch, type KubeObject } from "@rookery/kube";

/** Providers and ConfigMaps in a cluster whose operator does nothing. */
export class FakeProviders {
  readonly client: Client;
  readonly #objects = new Map<string, KubeObject>();

  constructor(providers: readonly Provider[]) {
    for (const provider of providers) this.#objects.set(pathOf(provider), provider);
    this.client = createClientOver(async ({ method, path, body }) => {
      const sent =
        body === undefined ? undefined : JSON.parse(Buffer.from(body as Uint8Array).toString());
      return this.#answer(method, path, sent);
    });
  }

  get(provider: Provider): Provider {
    return this.#objects.get(pathOf(provider)) as Provider;
  }

  /** The paths of all ConfigMaps. */
  configMaps(): readonly string[] {
    return [...this.#objects.keys()].filter((path) => path.includes("/configmaps/"));
  }

  #answer(method: string, path: string, sent: KubeObject | undefined) {
    const found = this.#objects.get(path);
    switch (method) {
      case "POST":
        return this.#put(`${path}/${sent?.metadata.name}`, sent);
      case "PATCH":
        return this.#put(path, applyMergePatch(found ?? {}, sent) as KubeObject);
      case "DELETE":
        this.#objects.delete(path);
        return json({ kind: "Status", status: "Success" });
      default:
        return found ? json(found) : json({ kind: "Status", reason: "NotFound", code: 404 }, 404);
    }
  }

  #put(path: string, object: KubeObject | undefined) {
    if (object) this.#objects.set(path, object);
    return json(object);
  }
}

function pathOf({ apiVersion, kind, metadata }: Provider): string {
  const plural = `${kind.toLowerCase()}s`;
  return `/apis/${apiVersion}/namespaces/${metadata.namespace}/${plural}/${metadata.name}`;
}

function json(value: unknown, status = 200) {
  const headers = { "content-type": "application/json" };
  return { status, headers, body: Buffer.from(JSON.stringify(value)) };
}
