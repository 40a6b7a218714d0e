import type { Provider } from "@rookery/api";
import { defaultProviderUrl } from "@rookery/components";
import { deepEqual, FieldError, fieldPath, invalidError } from "@rookery/kube";
import {
  type AdmissionContext,
  injectIntoWebhooks,
  isBeingDeleted,
  type Provider as Manager,
  type Validator,
  validatingWebhook,
  type Webhook,
  type WebhookConfiguration,
} from "@rookery/runtime";
import {
  providerResource,
  providerResources,
  validatingWebhookConfigurations,
} from "../resources.ts";
import { providerProblems } from "./provider-problems.ts";

/** Arguments that the operator sets. */
const ignoredArguments = ["namespace", "excluded-namespace"];

/** Warnings about fields of a provider that have no effect, or not yet. */
function providerWarnings(provider: Provider, before?: Provider): readonly string[] {
  return [
    ...ignoredFields(provider),
    ...sourceWarnings(provider),
    ...(before ? changeWarnings(provider, before) : []),
  ];
}

function ignoredFields({ spec = {} }: Provider): string[] {
  const { manager = {}, deployment = {} } = spec;
  const containers = deployment.containers ?? [];
  const ignored = containers.flatMap(({ name, args = {} }) =>
    ignoredArguments
      .filter((argument) => Object.hasOwn(args, argument))
      .map((argument) => `spec.deployment.containers[${name}].args.${argument}`),
  );
  const gates =
    manager.featureGates && containers.filter(({ args = {} }) => "feature-gates" in args);
  return [
    ...[...(manager.cacheNamespace ? ["spec.manager.cacheNamespace"] : []), ...ignored].map(
      (field) => `${field} is ignored: a provider watches all namespaces, or those of spec.watch`,
    ),
    ...(gates ?? []).map(
      ({ name }) =>
        `spec.deployment.containers[${name}].args.feature-gates is ignored: spec.manager.featureGates is set`,
    ),
  ];
}

function sourceWarnings({ kind, metadata: { name = "" }, spec = {} }: Provider): string[] {
  const isKnown = defaultProviderUrl({ kind, name }) !== undefined;
  if (isKnown || spec.fetchConfig) return [];
  return [`no ${kind} called ${name} is known: it can only be fetched with spec.fetchConfig`];
}

function changeWarnings({ spec = {} }: Provider, { spec: before = {} }: Provider): string[] {
  const { fetchConfig: after, ...rest } = spec;
  const { fetchConfig, ...restBefore } = before;
  const isFetchAlone = !deepEqual(after, fetchConfig) && deepEqual(rest, restBefore);
  const { version: _, paused, ...others } = rest;
  const { version: __, paused: ___, ...othersBefore } = restBefore;
  const isLater = paused === true && !deepEqual(others, othersBefore);
  return [
    ...(isFetchAlone
      ? [
          "spec.fetchConfig alone changes nothing: it is used when another version is installed, or when spec.fetchRevision changes",
        ]
      : []),
    ...(isLater
      ? ["spec.paused is set: of the change only spec.version is acted on before it is unset"]
      : []),
  ];
}

/** Rejects invalid providers. Updates of an unchanged spec pass, so that finalizers can always be changed. */
export const providerValidator: Validator<Provider> = {
  create: (provider, context) => validate(provider, undefined, context),
  update: (provider, before, context) => {
    if (isBeingDeleted(provider) || deepEqual(provider.spec, before.spec)) return;
    validate(provider, before, context);
  },
};

/** Objects in the old API groups would be left without a controller. */
function suffixProblems({ spec }: Provider, before: Provider | undefined): readonly FieldError[] {
  const isInstalled = before?.status?.installedVersion !== undefined;
  if (!isInstalled || before.spec?.apiGroupSuffix === spec?.apiGroupSuffix) return [];
  const why = "cannot be changed while the provider is installed; delete it, and make it anew";
  return [FieldError.forbidden(fieldPath("spec", "apiGroupSuffix"), why)];
}

function validate(object: Provider, before: Provider | undefined, context: AdmissionContext): void {
  const { namespace = "" } = context.request;
  const provider = { ...object, metadata: { namespace, ...object.metadata } };
  const problems = [...providerProblems(provider), ...suffixProblems(provider, before)];
  const { kind, metadata } = provider;
  if (problems.length > 0) {
    throw invalidError(providerResource(kind), metadata.name ?? "", problems);
  }
  for (const warning of providerWarnings(provider, before)) context.warn(warning);
}

export function providerWebhooks(): readonly Webhook[] {
  return providerResources.map((resource) =>
    validatingWebhook<Provider>(resource, providerValidator),
  );
}

/** Serves the webhooks of all provider kinds, if the flags enable webhooks. */
export function addProviderWebhooks(
  { client, addWebhooks }: Pick<Manager, "client" | "addWebhooks">,
  name: string,
): void {
  const configurations = client.resource<WebhookConfiguration>(validatingWebhookConfigurations);
  const server = addWebhooks({ service: name, publish: injectIntoWebhooks(configurations, name) });
  for (const webhook of providerWebhooks()) server?.register(webhook);
}
