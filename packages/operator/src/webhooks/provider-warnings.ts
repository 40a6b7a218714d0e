import type { Provider } from "@rookery/api";
import { defaultProviderUrl } from "@rookery/components";
import { deepEqual } from "@rookery/kube";

/** Arguments that the operator sets. */
const ignoredArguments = ["namespace", "excluded-namespace"];

/** Warnings about fields of a provider that have no effect, or not yet. */
export function providerWarnings(provider: Provider, before?: Provider): readonly string[] {
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
