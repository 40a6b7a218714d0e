import type { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "@rookery/api";
import { deepEqual } from "@rookery/kube";
import { type BuiltInKind, kindNames } from "../declaration/kind.ts";
import { ageColumn, countColumns, nameColumn } from "../meta/columns.ts";
import { setWebhookDefaults, validateWebhooks } from "./webhook-rules.ts";

type Configuration = MutatingWebhookConfiguration & ValidatingWebhookConfiguration;

const group = "admissionregistration.k8s.io";

/** The common part of both kinds. */
const shared = {
  namespaced: false,
  categories: ["api-extensions"],
  requiresResourceVersion: true,
  columns: [
    nameColumn,
    ...countColumns<Configuration>({ Webhooks: ({ webhooks }) => webhooks?.length ?? 0 }),
    ageColumn,
  ],
  prepareForCreate({ metadata }: Configuration) {
    if (metadata) metadata.generation = 1;
  },
  isNewGeneration: (object: Configuration, old: Configuration) =>
    !deepEqual(object.webhooks ?? [], old.webhooks ?? []),
  validate: validateWebhooks,
  validateUpdate: validateWebhooks,
} as const;

export const mutatingWebhookConfigurationKind: BuiltInKind<MutatingWebhookConfiguration> = {
  ...kindNames(group, "MutatingWebhookConfiguration", "mutatingwebhookconfigurations"),
  ...shared,
  defaults({ webhooks }) {
    for (const webhook of webhooks ?? []) {
      setWebhookDefaults(webhook);
      webhook.reinvocationPolicy ??= "Never";
    }
  },
};

export const validatingWebhookConfigurationKind: BuiltInKind<ValidatingWebhookConfiguration> = {
  ...kindNames(group, "ValidatingWebhookConfiguration", "validatingwebhookconfigurations"),
  ...shared,
  defaults({ webhooks }) {
    for (const webhook of webhooks ?? []) setWebhookDefaults(webhook);
  },
};
