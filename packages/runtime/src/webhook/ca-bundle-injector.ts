import { getOptional } from "@rookery/client";
import type { KubeObject, ObjectKey } from "@rookery/kube";

interface ClientConfig {
  readonly url?: string;
  readonly caBundle?: string;
}

/** A ValidatingWebhookConfiguration or a MutatingWebhookConfiguration, as far as it is needed here. */
export interface WebhookConfiguration extends Omit<KubeObject, "spec" | "status"> {
  readonly webhooks?: readonly { readonly name: string; readonly clientConfig?: ClientConfig }[];
}

/** A CustomResourceDefinition, as far as it is needed here. */
export type ConvertedDefinition = KubeObject<{
  readonly conversion?: { readonly webhook?: { readonly clientConfig?: ClientConfig } };
}>;

interface Options {
  readonly signal: AbortSignal;
}

/** What is needed of the API; a ResourceClient fits. Rejects with StatusErrors. */
export interface PatchingClient<T> {
  get(key: ObjectKey, options: Options): Promise<T>;
  patch(
    key: ObjectKey,
    patch: { readonly type: "merge" | "strategic"; readonly patch: object },
    options: Options,
  ): Promise<unknown>;
}

/** Puts a bundle of authorities, in PEM, somewhere; writes only where it differs. */
export type CaBundleInjector = (caBundle: string, signal: AbortSignal) => Promise<void>;

/** Into every webhook of a configuration. One that does not exist needs none. */
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

/** Into the conversion of a CustomResourceDefinition, if it has one by webhook. */
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

/** Several, all of them tried; rejects with what the first that failed did. */
export function injectIntoAll(injectors: readonly CaBundleInjector[]): CaBundleInjector {
  return async (caBundle, signal) => {
    const outcomes = await Promise.allSettled(injectors.map((inject) => inject(caBundle, signal)));
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  };
}
