import { listMap, object } from "../../declaration/collections.ts";
import { ageColumn, textColumn } from "../../declaration/columns.ts";
import { optional, required } from "../../declaration/fields.ts";
import { defineKind, type ManifestOf, type ObjectOf } from "../../declaration/kind.ts";
import { enumeration, string, time } from "../../declaration/scalars.ts";

const tokenCredentialRequestInfo = object({
  server: required(
    string({ minLength: 1, pattern: "^https://|^http://" }),
    "The URL of the Kubernetes API server.",
  ),
  certificateAuthorityData: required(
    string({ minLength: 1 }),
    "The certificate authorities of that server, as a bundle in PEM, encoded as base64.",
  ),
});

const frontend = object({
  type: required(enumeration("TokenCredentialRequestAPI"), "The API that clients use."),
  tokenCredentialRequestInfo: optional(
    tokenCredentialRequestInfo,
    "Where the API of TokenCredentialRequests is served.",
  ),
});

const strategy = object({
  type: required(
    enumeration("KubeClusterSigningCertificate", "CertificateSigningRequest"),
    "How certificates are signed: with the cluster's own key, or by the cluster on request.",
  ),
  status: required(enumeration("Success", "Error"), "Whether certificates can be had that way."),
  reason: required(
    enumeration(
      "FetchedKey",
      "CouldNotFetchKey",
      "CouldNotGetClusterInfo",
      "SignedRequest",
      "CouldNotSignRequest",
      "Disabled",
    ),
    "Why the status is what it is, for programs.",
  ),
  message: required(string({ minLength: 1 }), "The same for people."),
  lastUpdateTime: required(time(), "When the status, the reason or the message changed last."),
  frontend: optional(frontend, "How clients use it, where that is known."),
});

const status = object({
  strategies: required(
    listMap(strategy, ["type"]),
    "The ways to sign certificates; the first that succeeds is used.",
  ),
});

/** The strategies by which a concierge signs client certificates. */
export const credentialIssuer = defineKind({
  group: "config.concierge.pinniped.dev",
  kind: "CredentialIssuer",
  plural: "credentialissuers",
  categories: ["pinniped"],
  scope: "Cluster",
  versions: {
    v1alpha1: {
      doc: "CredentialIssuer says how the concierge gets client certificates signed.",
      fields: {
        status: optional(status, "The observed state of the strategies."),
      },
      columns: [
        textColumn("DefaultStrategy", '.status.strategies[?(@.status == "Success")].type'),
        ageColumn,
      ],
    },
  },
});

export type CredentialIssuer = ObjectOf<typeof credentialIssuer>;
export type CredentialIssuerManifest = ManifestOf<typeof credentialIssuer>;
