/** What a token is bound to, beside its service account. */
export interface ClaimReference {
  readonly name: string;
  readonly uid?: string;
}

/** The payload of a token that a TokenRequest gave. */
export interface BoundClaims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly nbf: number;
  readonly jti: string;
  readonly "kubernetes.io": {
    readonly namespace: string;
    readonly serviceaccount: ClaimReference;
    readonly pod?: ClaimReference;
    readonly secret?: ClaimReference;
    readonly node?: ClaimReference;
    readonly warnafter?: number;
  };
}

/** The payload of a token that lies in a Secret. It does not expire. */
export interface LegacyClaims {
  readonly iss: string;
  readonly sub: string;
  readonly "kubernetes.io/serviceaccount/namespace": string;
  readonly "kubernetes.io/serviceaccount/secret.name": string;
  readonly "kubernetes.io/serviceaccount/service-account.name": string;
  readonly "kubernetes.io/serviceaccount/service-account.uid": string;
}

/** Who gives tokens that lie in Secrets, in every cluster. */
export const legacyIssuer = "kubernetes/serviceaccount";
