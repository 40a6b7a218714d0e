import type { Provider } from "@rookery/api";
import {
  Downloader,
  FetchError,
  openRepository,
  patchProblem,
  providerLabel,
} from "@rookery/components";
import {
  FieldError,
  fieldPath,
  omitValue,
  validateDns1123Subdomain,
  validateLabelSelector,
  validateLabels,
  validateLabelValue,
} from "@rookery/kube";
import { containerProblems } from "./container-problems.ts";
import { managerProblems } from "./manager-problems.ts";

const spec = fieldPath("spec");

/** The errors of a provider that its schema does not find. */
export function providerProblems(provider: Provider): readonly FieldError[] {
  const { manager = {}, deployment = {} } = provider.spec ?? {};
  const containers = spec.child("deployment", "containers");
  return [
    ...nameProblems(provider),
    ...secretNameProblems(provider),
    ...fetchProblems(provider),
    ...patchProblems(provider),
    ...managerProblems(manager, spec.child("manager")),
    ...validateLabels(deployment.nodeSelector ?? {}, spec.child("deployment", "nodeSelector")),
    ...(deployment.containers ?? []).flatMap((container, index) =>
      containerProblems(container, containers.index(index)),
    ),
  ];
}

/** The name is part of a label, whose values are shorter than names. */
function nameProblems({ kind, metadata: { name = "" } }: Provider): FieldError[] {
  const label = providerLabel({ kind, name });
  return validateLabelValue(label).map((why) =>
    FieldError.invalid(fieldPath("metadata", "name"), name, `the label ${label} made of it ${why}`),
  );
}

function secretNameProblems({ metadata, spec: { secretName } = {} }: Provider): FieldError[] {
  if (secretName === undefined) return [];
  const where = `it names a Secret in the provider's own namespace ${metadata.namespace}`;
  return validateDns1123Subdomain(secretName).map((why) =>
    FieldError.invalid(spec.child("secretName"), secretName, `${why}; ${where}`),
  );
}

function patchProblems({ spec: { patches = [] } = {} }: Provider): FieldError[] {
  return patches.flatMap((patch, index) => {
    const why = patchProblem(patch);
    const field = spec.child("patches").index(index);
    return why === undefined ? [] : [FieldError.invalid(field, omitValue, why)];
  });
}

function fetchProblems({ kind, metadata: { name = "" }, spec: wanted }: Provider): FieldError[] {
  const { fetchConfig } = wanted ?? {};
  if (!fetchConfig) return [];
  const path = spec.child("fetchConfig");
  const { url, selector } = fetchConfig;
  const selectorProblems = validateLabelSelector(selector, path.child("selector"));
  if (url === undefined) return selectorProblems;
  const provider = { kind, name };
  const variables = () => undefined;
  try {
    openRepository({ provider, fetchConfig, variables, downloader: new Downloader() });
    return selectorProblems;
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    // The URL may have a password.
    return [FieldError.invalid(path.child("url"), omitValue, error.message)];
  }
}
