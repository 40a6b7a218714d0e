import type { Provider } from "@rookery/api";
import { deepEqual, FieldError, fieldPath, invalidError } from "@rookery/kube";
import { type AdmissionContext, isBeingDeleted, type Validator } from "@rookery/runtime";
import { providerResource } from "../resources.ts";
import { providerProblems } from "./provider-problems.ts";
import { providerWarnings } from "./provider-warnings.ts";

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
