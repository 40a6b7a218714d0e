import type { Clock } from "@rookery/kube";
import {
  type Authenticator,
  unionAuthenticator,
  withAnonymous,
  withAuthenticatedGroup,
} from "./authenticator.ts";
import { createCertificateVerifier } from "./certificate-verifier.ts";
import { createClientCertificateAuthenticator } from "./client-certificate.ts";
import type { ClusterAuthenticationSource } from "./cluster-authentication.ts";
import { createRequestHeaderAuthenticator } from "./request-header.ts";
import { createTokenAuthenticator, type ReviewToken } from "./token.ts";

export interface DelegatingAuthenticatorOptions {
  readonly cluster: Pick<ClusterAuthenticationSource, "current">;
  /** Without it bearer tokens are ignored. */
  readonly reviewToken?: ReviewToken;
  /** How long a verdict on a token counts; 10 s by default. */
  readonly tokenTtlMs?: number;
  /** On by default: kube-aggregator and probes send no credentials. */
  readonly anonymous?: boolean;
  readonly now?: Clock;
}

/**
 * Authenticates like an extension API server: front proxies, client certificates, tokens, then
 * anonymous.
 */
export function createDelegatingAuthenticator(
  options: DelegatingAuthenticatorOptions,
): Authenticator {
  const { cluster, reviewToken, tokenTtlMs: ttlMs, anonymous = true } = options;
  const { now = () => new Date() } = options;
  const config = () => cluster.current.requestHeader;
  const clientCa = () => cluster.current.clientCa;
  const known = withAuthenticatedGroup(
    unionAuthenticator(
      createRequestHeaderAuthenticator({ config, verify: createCertificateVerifier(now) }),
      createClientCertificateAuthenticator({ clientCa, verify: createCertificateVerifier(now) }),
      ...(reviewToken ? [createTokenAuthenticator({ review: reviewToken, ttlMs, now })] : []),
    ),
  );
  return anonymous ? withAnonymous(known) : known;
}
