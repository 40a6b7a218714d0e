import { list, object } from "../../declaration/collections.ts";
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

const longestExpression = 10_240;
const mostRules = 64;
const expression = string({ minLength: 1, maxLength: longestExpression });

const claims = object({
  groups: optional(
    string(),
    'The claim that holds the groups of the user, as a string or a list of strings; "groups" ' +
      "when neither it nor groupsExpression is set.",
  ),
  groupsExpression: optional(
    expression,
    "A CEL expression about `claims` that gives the groups of the user, as a string or a list of " +
      "strings. It takes the place of groups and groupsPrefix.",
  ),
  groupsPrefix: optional(string({ maxLength: 253 }), "The prefix of the groups in the claim."),
  username: optional(
    string(),
    'The claim that holds the name of the user; "username" when neither it nor ' +
      "usernameExpression is set.",
  ),
  usernameExpression: optional(
    expression,
    "A CEL expression about `claims` that gives the name of the user. It takes the place of " +
      "username and usernamePrefix.",
  ),
  usernamePrefix: optional(string({ maxLength: 253 }), "The prefix of the name in the claim."),
});

const claimValidationRule = object({
  claim: optional(string({ minLength: 1 }), "A claim that must have the required value."),
  requiredValue: optional(string(), "The value that the claim must have, as a string."),
  expression: optional(
    expression,
    "A CEL expression about `claims` that must be true, in place of a claim and its value.",
  ),
  message: optional(string(), "The log message if the expression is false."),
});

const userValidationRule = object({
  expression: required(
    expression,
    "A CEL expression that must be true of `user`, who has a username and groups.",
  ),
  message: optional(string(), "The log message if the expression is false."),
});

const spec = object({
  issuer: required(
    string({ minLength: 1, pattern: "^https://" }),
    'The URL of the OIDC issuer: its keys are discovered there, and tokens must have it as "iss".',
  ),
  audience: required(string({ minLength: 1 }), 'What tokens must have in "aud".'),
  claims: optional(claims, "Which claims say who the user is."),
  claimValidationRules: optional(
    list(claimValidationRule, { maxItems: mostRules }),
    "Rules for the claims of a token, as in Kubernetes' AuthenticationConfiguration.",
  ),
  userValidationRules: optional(
    list(userValidationRule, { maxItems: mostRules }),
    "Rules for the user of a token, as in Kubernetes' AuthenticationConfiguration.",
  ),
  tls: optional(tls, "How to trust the server of the issuer."),
});

/** An OIDC issuer whose tokens are accepted, and how their claims name users. */
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
        spec: required(spec, "The issuer whose tokens are accepted."),
        status: optional(authenticatorStatus, "The observed state of the issuer."),
      },
      columns: [
        textColumn("Issuer", ".spec.issuer"),
        textColumn("Audience", ".spec.audience"),
        ...authenticatorColumns,
      ],
    },
  },
});

export type JWTAuthenticator = ObjectOf<typeof jwtAuthenticator>;
export type JWTAuthenticatorManifest = ManifestOf<typeof jwtAuthenticator>;
