import type { ServedResource } from "@rookery/apiserver";

type Schema = ServedResource["schema"];

/** A TokenCredentialRequest and its answer. */
export const tokenCredentialRequestSchema: Schema = object(
  "TokenCredentialRequest exchanges the token of a user for a client certificate of a few minutes.",
  {
    spec: object("The token, and who is to look at it.", {
      token: text("The token of the user."),
      authenticator: {
        ...object("The authenticator that knows whose the token is.", {
          apiGroup: {
            ...text("The group of the authenticator, which must be that of this concierge."),
            nullable: true,
          },
          kind: text("JWTAuthenticator or WebhookAuthenticator."),
          name: text("The name of the authenticator."),
        }),
        required: ["kind", "name"],
      },
    }),
    status: object("The credential, or that there is none.", {
      credential: object("Proves who the user is, until it expires.", {
        expirationTimestamp: {
          type: "string",
          format: "date-time",
          description: "When the certificate expires.",
        },
        clientCertificateData: text("The client certificate, in PEM."),
        clientKeyData: text("Its private key, in PEM."),
      }),
      message: text("Says that the token was not taken."),
    }),
  },
);

const texts: Schema = { type: "array", items: { type: "string" } };

/** A WhoAmIRequest and its answer. */
export const whoAmIRequestSchema: Schema = object(
  "WhoAmIRequest tells a client as whom the API server knows it.",
  {
    spec: object("Nothing is to be said.", {}),
    status: object("Who asks.", {
      kubernetesUserInfo: object("The user, and for whom the credential is meant.", {
        user: object("The user.", {
          username: text("The name of the user."),
          uid: text("The UID of the user, where it has one."),
          groups: { ...texts, description: "The groups that the user is in." },
          extra: {
            type: "object",
            description: "What else is known of the user.",
            additionalProperties: texts,
          },
        }),
        audiences: { ...texts, description: "For whom the credential is meant." },
      }),
    }),
  },
);

function object(description: string, properties: Readonly<Record<string, Schema>>): Schema {
  return { type: "object", description, properties };
}

function text(description: string): Schema {
  return { type: "string", description };
}
