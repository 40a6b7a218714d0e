import type { Interceptor } from "@rookery/http";
import { builtInResources, type Resource } from "@rookery/kube";
import { OwnNamespaceError } from "../errors.ts";
import type { ProviderFlagValues } from "../flags/provider-flags.ts";
import type { CertificateSource } from "../http-server/certified-server.ts";
import {
  type CaBundleInjector,
  injectIntoAll,
  injectIntoWebhooks,
  type WebhookConfiguration,
} from "../webhook/ca-bundle-injector.ts";
import { createCertificateFiles } from "../webhook/certificate-files.ts";
import { createIssuedCertificate, issuedSecretName } from "../webhook/issued-certificate.ts";
import type { Webhook } from "../webhook/webhook.ts";
import { WebhookServer } from "../webhook/webhook-server.ts";
import type { Provider } from "./provider.ts";

export interface ProviderWebhooksOptions {
  /** The Service that API servers call. The certificate is for its name, and its Secret is named after it. */
  readonly service: string;
  /** Publishes the authorities of the certificate that the provider issues. */
  readonly publish: CaBundleInjector;
  /** The interval of reads for changes of other replicas, in milliseconds; 20 s by default. */
  readonly resyncMs?: number;
}

interface Parts
  extends Pick<Provider, "client" | "health" | "logger" | "manager" | "metrics" | "ownNamespace"> {
  /** For every webhook. */
  readonly interceptors: readonly Interceptor[];
}

/**
 * Adds the webhook server of --webhook-port and --webhook-cert-dir, for which readiness waits. Undefined if the port is
 * 0.
 */
export function addWebhooks(
  parts: Parts,
  flags: ProviderFlagValues,
  options: ProviderWebhooksOptions,
): WebhookServer | undefined {
  if (flags.webhookPort === 0) return undefined;
  const { manager, health, metrics, logger, interceptors } = parts;
  const certificates = certificateSource(parts, flags, options);
  const server = new WebhookServer({
    port: flags.webhookPort,
    certificates,
    interceptors,
    metrics,
    logger,
  });
  health.addReadyzCheck("webhooks", server.startedCheck);
  manager.add(server);
  return server;
}

interface ServedWebhooks {
  /** The Service that API servers call. */
  readonly service: string;
  /** The webhook configurations into which the provider writes its authorities. */
  readonly validating: string;
  readonly mutating?: string;
  readonly webhooks: readonly Webhook[];
}

/** Serves the webhooks of a provider with a certificate that it issues itself. */
export function serveWebhooks(
  { client, addWebhooks }: Pick<Provider, "client" | "addWebhooks">,
  { service, validating, mutating, webhooks }: ServedWebhooks,
): void {
  const into = (resource: Resource, name: string) =>
    injectIntoWebhooks(client.resource<WebhookConfiguration>(resource), name);
  const { validatingWebhookConfigurations, mutatingWebhookConfigurations } = builtInResources;
  const publish = injectIntoAll([
    into(validatingWebhookConfigurations, validating),
    ...(mutating === undefined ? [] : [into(mutatingWebhookConfigurations, mutating)]),
  ]);
  const server = addWebhooks({ service, publish });
  for (const webhook of webhooks) server?.register(webhook);
}

function certificateSource(
  { client, ownNamespace, metrics, logger }: Parts,
  { webhookCertDir }: ProviderFlagValues,
  { service, publish, resyncMs }: ProviderWebhooksOptions,
): CertificateSource {
  if (webhookCertDir !== "") {
    return createCertificateFiles({
      folder: webhookCertDir,
      metrics: metrics.certificates,
      logger,
    });
  }
  if (ownNamespace === undefined)
    throw new OwnNamespaceError("webhooks without --webhook-cert-dir");
  const name = `${service}.${ownNamespace}.svc`;
  return createIssuedCertificate({
    commonName: service,
    dnsNames: [name, `${name}.cluster.local`],
    secrets: client.resource(builtInResources.secrets),
    secret: { namespace: ownNamespace, name: issuedSecretName(service) },
    publish,
    ...(resyncMs !== undefined && { resyncMs }),
    logger,
  });
}
