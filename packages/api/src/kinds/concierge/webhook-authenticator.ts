import { object } from "../../declaration/collections.ts";
import { textColumn } from "../../declaration/columns.ts";
import { optional, required } from "../../declaration/fields.ts";
import { defineKind, type ManifestOf, type ObjectOf } from "../../declaration/kind.ts";
import { string } from "../../declaration/scalars.ts";
import {
  authenticationGroup,
  authenticatorCategories,
  authenticatorColumns,
  authenticatorStatus,
  tls,
} from "./authenticator-fields.ts";

const spec = object({
  endpoint: required(
    string({ minLength: 1, pattern: "^https://" }),
    "The URL that tokens are sent to, each in a TokenReview.",
  ),
  tls: optional(tls, "How to trust the server of the webhook."),
});

/** A webhook that validates tokens. */
export const webhookAuthenticator = defineKind({
  group: authenticationGroup,
  kind: "WebhookAuthenticator",
  plural: "webhookauthenticators",
  categories: authenticatorCategories,
  scope: "Cluster",
  versions: {
    v1alpha1: {
      doc: "WebhookAuthenticator lets a webhook decide whose a token is.",
      fields: {
        spec: required(spec, "Where the webhook is."),
        status: optional(authenticatorStatus, "The observed state of the webhook."),
      },
      columns: [textColumn("Endpoint", ".spec.endpoint"), ...authenticatorColumns],
    },
  },
});

export type WebhookAuthenticator = ObjectOf<typeof webhookAuthenticator>;
export type WebhookAuthenticatorManifest = ManifestOf<typeof webhookAuthenticator>;
