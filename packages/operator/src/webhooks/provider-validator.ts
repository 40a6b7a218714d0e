import type { Provider } from "@rookery/api";
import { deepEqual, FieldError, fieldPath, invalidError } from "@rookery/kube";
import { type AdmissionContext, isBeingDeleted, type Validator } from "@rookery/runtime";
import { providerResource } from "../resources.ts";
import { providerProblems } from "./provider-problems.ts";
import { providerWarnings } from "./provider-warnings.ts";

/**
 * Refuses providers that no reconcile could make something of. What passed once stays as it is, so that
 * finalizers can be changed and the object deleted, whatever was learned since.
 */
export const providerValidator: Validator<Provider> = {
  create: (provider, context) => judge(provider, undefined, context),
  update: (provider, before, context) => {
    if (isBeingDeleted(provider) || deepEqual(provider.spec, before.spec)) return;
    judge(provider, before, context);
  },
};

/** Objects of users live in the API groups: they would be left behind without a controller. */
function suffixProblems({ spec }: Provider, before: Provider | undefined): readonly FieldError[] {
  const isInstalled = before?.status?.installedVersion !== undefined;
  if (!isInstalled || before.spec?.apiGroupSuffix === spec?.apiGroupSuffix) return [];
  const why = "cannot be changed while the provider is installed; delete it, and make it anew";
  return [FieldError.forbidden(fieldPath("spec", "apiGroupSuffix"), why)];
}

function judge(object: Provider, before: Provider | undefined, context: AdmissionContext): void {
  const { namespace = "" } = context.request;
  const provider = { ...object, metadata: { namespace, ...object.metadata } };
  const problems = [...providerProblems(provider), ...suffixProblems(provider, before)];
  const { kind, metadata } = provider;
  if (problems.length > 0) {
    throw invalidError(providerResource(kind), metadata.name ?? "", problems);
  }
  for (const warning of providerWarnings(provider, before)) context.warn(warning);
}
