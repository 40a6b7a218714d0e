import {
  type Authenticator,
  type ClusterAuthentication,
  createCertificateVerifier,
  createClientCertificateAuthenticator,
  createRequestHeaderAuthenticator,
  createTokenAuthenticator,
  unionAuthenticator,
  withAnonymous,
  withAuthenticatedGroup,
} from "@rookery/apiserver";
import type { Clock } from "@rookery/kube";
import type { ServiceAccountTokens } from "./service-account-tokens.ts";

export interface LocalAuthenticatorOptions {
  /** Whose certificates name users, and who may speak for others as a front proxy. */
  readonly cluster: { readonly current: ClusterAuthentication };
  readonly tokens: Pick<ServiceAccountTokens, "review">;
  readonly now: Clock;
}

/** Finds out who asks, as kube-apiserver does: front proxies, certificates, tokens, anonymous. */
export function createLocalAuthenticator(options: LocalAuthenticatorOptions): Authenticator {
  const { cluster, tokens, now } = options;
  const verify = () => createCertificateVerifier(now);
  const config = () => cluster.current.requestHeader;
  const clientCa = () => cluster.current.clientCa;
  return withAnonymous(
    withAuthenticatedGroup(
      unionAuthenticator(
        createRequestHeaderAuthenticator({ config, verify: verify() }),
        createClientCertificateAuthenticator({ clientCa, verify: verify() }),
        // What a token is bound to may be gone a moment later: no answer is kept.
        createTokenAuthenticator({ review: tokens.review, now, ttlMs: 0 }),
      ),
    ),
  );
}
