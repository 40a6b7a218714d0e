import { object } from "../../declaration/collections.ts";
import { ageColumn, textColumn } from "../../declaration/columns.ts";
import type { PrinterColumn } from "../../declaration/custom-resource-definition.ts";
import { defaulted, optional } from "../../declaration/fields.ts";
import { conditions } from "../../declaration/fragments.ts";
import { enumeration, string } from "../../declaration/scalars.ts";

export const authenticationGroup = "authentication.concierge.pinniped.dev";

export const authenticatorCategories: readonly string[] = [
  "pinniped",
  "pinniped-authenticator",
  "pinniped-authenticators",
];

export const authenticatorColumns: readonly PrinterColumn[] = [
  textColumn("Status", ".status.phase"),
  ageColumn,
];

/** The trusted authorities of the server of an authenticator. */
export const tls = object({
  certificateAuthorityData: optional(
    string(),
    "The certificate authorities to trust, as a bundle in PEM, encoded as base64. Those of the " +
      "system when it is not set.",
  ),
});

export const authenticatorStatus = object({
  conditions: optional(conditions(), "The conditions of the authenticator, one for each type."),
  phase: defaulted(
    enumeration("Pending", "Ready", "Error"),
    "Pending",
    "Whether the authenticator can be used, in one word.",
  ),
});
