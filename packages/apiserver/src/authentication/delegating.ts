import { peerKey } from "@rookery/http";
import type { Clock } from "@rookery/kube";
import type { CertificateInfo } from "@rookery/pki";
import type { UserInfo } from "../request/user.ts";
import {
  type Authenticator,
  unionAuthenticator,
  withAnonymous,
  withAuthenticatedGroup,
} from "./authenticator.ts";
import { type CertificateVerifier, createCertificateVerifier } from "./certificate-verifier.ts";
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

interface ClientCertificateOptions {
  /** The user CA bundle in PEM; undefined while it is unknown. */
  readonly clientCa: () => string | undefined;
  readonly verify: CertificateVerifier;
}

/** The user is the certificate's common name, the groups its organizations. */
function createClientCertificateAuthenticator(options: ClientCertificateOptions): Authenticator {
  // The verifier returns the same object while its verdict counts.
  const known = new WeakMap<CertificateInfo, UserInfo>();
  return ({ context }) => {
    const certificate = context.get(peerKey)?.certificate;
    const clientCa = options.clientCa();
    if (certificate === undefined || clientCa === undefined) return undefined;
    const verified = options.verify(certificate, clientCa);
    if (verified.subject.commonName === "") return undefined;
    const user = known.get(verified) ?? userOf(verified);
    known.set(verified, user);
    return user;
  };
}

function userOf({ subject, fingerprints }: CertificateInfo): UserInfo {
  const id = `X509SHA256=${fingerprints.sha256.replaceAll(":", "").toLowerCase()}`;
  return {
    name: subject.commonName,
    groups: subject.organizations,
    extra: { "authentication.kubernetes.io/credential-id": [id] },
  };
}
