import {
  type Attributes,
  type AuthenticationConfigData,
  type Authenticator,
  type Authorizer,
  type ClusterAuthentication,
  ClusterAuthenticationSource,
  createCertificateVerifier,
  createClientCertificateAuthenticator,
  createRequestHeaderAuthenticator,
  createTokenAuthenticator,
  type Decision,
  privilegedGroups,
  systemUsers,
  unionAuthenticator,
  unionAuthorizer,
  withAnonymous,
  withAuthenticatedGroup,
} from "@rookery/apiserver";
import type { Clock } from "@rookery/kube";
import {
  createServiceAccountTokens,
  type ServiceAccountTokens,
} from "../authentication/service-account-tokens.ts";
import { createTokenKeys, type TokenKeys } from "../authentication/token-keys.ts";
import { createRbacAuthorizer } from "../rbac/rbac-authorizer.ts";
import { createRuleResolver, type RuleResolver } from "../rbac/rule-resolver.ts";
import type { LocalPki } from "./local-pki.ts";
import { authenticateLoopback } from "./loopback.ts";
import type { Parts } from "./parts.ts";

export const tokenIssuer = "https://kubernetes.default.svc.cluster.local";

/** Who someone is, and what they may do. */
export interface Access {
  readonly cluster: ClusterAuthenticationSource;
  readonly keys: TokenKeys;
  readonly tokens: ServiceAccountTokens;
  readonly resolver: RuleResolver;
  readonly authenticate: Authenticator;
  readonly authorize: Authorizer;
  /** By roles alone, and at once. */
  readonly decide: (attributes: Attributes) => Decision;
}

export function createAccess({ pki, options }: Parts): Access {
  const { store, now } = options;
  const cluster = clusterAuthentication(pki);
  const { serviceAccountKey: signingKey, verificationKeys = [] } = pki;
  const keys = createTokenKeys({ signingKey, verificationKeys });
  const tokens = createServiceAccountTokens({ store, keys, issuer: tokenIssuer, now });
  const resolver = createRuleResolver(store);
  const decide = createRbacAuthorizer(store, resolver);
  return {
    cluster,
    keys,
    tokens,
    resolver,
    authenticate: unionAuthenticator(
      authenticateLoopback,
      createLocalAuthenticator({ cluster, tokens, now }),
    ),
    authorize: unionAuthorizer(privilegedGroups([systemUsers.privilegedGroup]), decide),
    decide,
  };
}

/** What extension API servers are told of how this cluster authenticates. */
function authenticationConfig(pki: Pick<LocalPki, "ca" | "frontProxyCa">) {
  return {
    "client-ca-file": pki.ca.certificate,
    "requestheader-client-ca-file": pki.frontProxyCa.certificate,
    "requestheader-allowed-names": '["front-proxy-client"]',
    "requestheader-username-headers": '["X-Remote-User"]',
    "requestheader-uid-headers": '["X-Remote-Uid"]',
    "requestheader-group-headers": '["X-Remote-Group"]',
    "requestheader-extra-headers-prefix": '["X-Remote-Extra-"]',
  } satisfies AuthenticationConfigData;
}

/** The cluster tells itself the same. */
function clusterAuthentication(pki: LocalPki): ClusterAuthenticationSource {
  return new ClusterAuthenticationSource({ read: async () => authenticationConfig(pki) });
}

interface LocalAuthenticatorOptions {
  /** Whose certificates name users, and who may speak for others as a front proxy. */
  readonly cluster: { readonly current: ClusterAuthentication };
  readonly tokens: Pick<ServiceAccountTokens, "review">;
  readonly now: Clock;
}

/** Finds out who asks, as kube-apiserver does: front proxies, certificates, tokens, anonymous. */
function createLocalAuthenticator(options: LocalAuthenticatorOptions): Authenticator {
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
