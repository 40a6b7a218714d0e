import {
  mutatingWebhookConfigurationKind,
  validatingWebhookConfigurationKind,
} from "./webhook-configurations.ts";

export const admissionregistrationKinds = [
  mutatingWebhookConfigurationKind,
  validatingWebhookConfigurationKind,
];
