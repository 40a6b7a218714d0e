import type { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "@rookery/api";
import { deepEqual } from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import { setWebhookDefaults, validateWebhooks } from "./webhook-rules.ts";

type Configuration = MutatingWebhookConfiguration & ValidatingWebhookConfiguration;

/** The common part of both kinds. */
const shared = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  namespaced: false,
  categories: ["api-extensions"],
  requiresResourceVersion: true,
  columns: [
    nameColumn,
    column("Webhooks", "integer", ({ webhooks }: Configuration) => webhooks?.length ?? 0),
    ageColumn,
  ],
  prepareForCreate({ metadata }: Configuration) {
    if (metadata) metadata.generation = 1;
  },
  isNewGeneration: (object: Configuration, old: Configuration) =>
    !deepEqual(object.webhooks ?? [], old.webhooks ?? []),
  validate: (object: Configuration) => validateWebhooks(object),
  validateUpdate: (object: Configuration) => validateWebhooks(object),
} as const;

export const mutatingWebhookConfigurationKind: BuiltInKind<MutatingWebhookConfiguration> = {
  ...shared,
  kind: "MutatingWebhookConfiguration",
  plural: "mutatingwebhookconfigurations",
  singular: "mutatingwebhookconfiguration",
  goType: "k8s.io/api/admissionregistration/v1.MutatingWebhookConfiguration",
  model: "io.k8s.api.admissionregistration.v1.MutatingWebhookConfiguration",
  defaults({ webhooks }) {
    for (const webhook of webhooks ?? []) {
      setWebhookDefaults(webhook);
      webhook.reinvocationPolicy ??= "Never";
    }
  },
};

export const validatingWebhookConfigurationKind: BuiltInKind<ValidatingWebhookConfiguration> = {
  ...shared,
  kind: "ValidatingWebhookConfiguration",
  plural: "validatingwebhookconfigurations",
  singular: "validatingwebhookconfiguration",
  goType: "k8s.io/api/admissionregistration/v1.ValidatingWebhookConfiguration",
  model: "io.k8s.api.admissionregistration.v1.ValidatingWebhookConfiguration",
  defaults({ webhooks }) {
    for (const webhook of webhooks ?? []) setWebhookDefaults(webhook);
  },
};
