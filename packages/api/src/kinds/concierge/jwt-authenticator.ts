import { object } from "../../declaration/collections.ts";
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

const claims = object({
  groups: optional(
    string(),
    'The claim that holds the groups of the user, as a string or a list of strings; "groups" ' +
      "when it is not set.",
  ),
  username: optional(
    string(),
    'The claim that holds the name of the user; "username" when it is not set.',
  ),
});

const spec = object({
  issuer: required(
    string({ minLength: 1, pattern: "^https://" }),
    'The URL of the OIDC issuer: its keys are discovered there, and tokens must have it as "iss".',
  ),
  audience: required(string({ minLength: 1 }), 'What tokens must have in "aud".'),
  claims: optional(claims, "Which claims say who the user is."),
  tls: optional(tls, "How to trust the server of the issuer."),
});

/** Whose signed tokens are taken, and how they name users. */
export const jwtAuthenticator = defineKind({
  group: authenticationGroup,
  kind: "JWTAuthenticator",
  plural: "jwtauthenticators",
  categories: authenticatorCategories,
  scope: "Cluster",
  versions: {
    v1alpha1: {
      doc: "JWTAuthenticator takes JSON web tokens of an OIDC issuer.",
      fields: {
        spec: required(spec, "Whose tokens are taken."),
        status: optional(authenticatorStatus, "What the concierge has found out about the issuer."),
      },
      columns: [
        { name: "Issuer", type: "string", jsonPath: ".spec.issuer" },
        { name: "Audience", type: "string", jsonPath: ".spec.audience" },
        ...authenticatorColumns,
      ],
    },
  },
});

/** As it is read. */
export type JWTAuthenticator = ObjectOf<typeof jwtAuthenticator>;

/** As it is written. */
export type JWTAuthenticatorManifest = ManifestOf<typeof jwtAuthenticator>;
