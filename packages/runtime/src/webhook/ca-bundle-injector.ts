import { getOptional } from "@rookery/client";
import type { KubeObject, ObjectKey } from "@rookery/kube";

interface ClientConfig {
  readonly url?: string;
  readonly caBundle?: string;
}

/** The fields of a ValidatingWebhookConfiguration or MutatingWebhookConfiguration that are used here. */
export interface WebhookConfiguration extends Omit<KubeObject, "spec" | "status"> {
  readonly webhooks?: readonly { readonly name: string; readonly clientConfig?: ClientConfig }[];
}

/** The fields of a CustomResourceDefinition that are used here. */
export type ConvertedDefinition = KubeObject<{
  readonly conversion?: { readonly webhook?: { readonly clientConfig?: ClientConfig } };
}>;

interface Options {
  readonly signal: AbortSignal;
}

/** The requests of an injector; a ResourceClient has them. Rejects with StatusErrors. */
export interface PatchingClient<T> {
  get(key: ObjectKey, options: Options): Promise<T>;
  patch(
    key: ObjectKey,
    patch: { readonly type: "merge" | "strategic"; readonly patch: object },
    options: Options,
  ): Promise<unknown>;
}

/** Writes a bundle of authorities, in PEM, into an object that differs from it. */
export type CaBundleInjector = (caBundle: string, signal: AbortSignal) => Promise<void>;

/** Injects into every webhook of a configuration; a missing configuration is ignored. */
export function injectIntoWebhooks(
  client: PatchingClient<WebhookConfiguration>,
  name: string,
): CaBundleInjector {
  return async (pem, signal) => {
    const configuration = await getOptional(client, { name }, { signal });
    const caBundle = Buffer.from(pem).toString("base64");
    const differing = (configuration?.webhooks ?? []).filter(
      ({ clientConfig }) => clientConfig?.caBundle !== caBundle,
    );
    if (differing.length === 0) return;
    const webhooks = differing.map((webhook) => ({
      name: webhook.name,
      clientConfig: { caBundle },
    }));
    await client.patch({ name }, { type: "strategic", patch: { webhooks } }, { signal });
  };
}

/** Injects into the conversion webhook of a CustomResourceDefinition, if there is one. */
export function injectIntoConversion(
  client: PatchingClient<ConvertedDefinition>,
  name: string,
): CaBundleInjector {
  return async (pem, signal) => {
    const { webhook } = (await getOptional(client, { name }, { signal }))?.spec?.conversion ?? {};
    const caBundle = Buffer.from(pem).toString("base64");
    if (!webhook || webhook.clientConfig?.caBundle === caBundle) return;
    const patch = { spec: { conversion: { webhook: { clientConfig: { caBundle } } } } };
    await client.patch({ name }, { type: "merge", patch }, { signal });
  };
}

/** Calls all injectors; rejects with the first error. */
export function injectIntoAll(injectors: readonly CaBundleInjector[]): CaBundleInjector {
  return async (caBundle, signal) => {
    const outcomes = await Promise.allSettled(injectors.map((inject) => inject(caBundle, signal)));
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  };
}
