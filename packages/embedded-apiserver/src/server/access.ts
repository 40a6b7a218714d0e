import {
  type Attributes,
  type AuthenticationConfigData,
  type Authenticator,
  type Authorizer,
  allowPrivilegedGroup,
  ClusterAuthenticationSource,
  createDelegatingAuthenticator,
  type Decision,
  unionAuthenticator,
  unionAuthorizer,
} from "@rookery/apiserver";
import {
  createServiceAccountTokens,
  type ServiceAccountTokens,
} from "../authentication/service-account-tokens.ts";
import { createTokenKeys, type TokenKeys } from "../authentication/token-keys.ts";
import { createRbacAuthorizer } from "../rbac/rbac-authorizer.ts";
import { createRuleResolver, type RuleResolver } from "../rbac/rule-resolver.ts";
import type { Parts } from "./api-server-options.ts";
import type { LocalPki } from "./local-pki.ts";
import { authenticateLoopback } from "./loopback.ts";

export const tokenIssuer = "https://kubernetes.default.svc.cluster.local";

/** Authentication and authorization of a server. */
export interface Access {
  readonly cluster: ClusterAuthenticationSource;
  readonly keys: TokenKeys;
  readonly tokens: ServiceAccountTokens;
  readonly resolver: RuleResolver;
  readonly authenticate: Authenticator;
  readonly authorize: Authorizer;
  /** By roles alone, synchronously. */
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
      // The object that a token is bound to may be deleted at any time: no verdict is cached.
      createDelegatingAuthenticator({ cluster, reviewToken: tokens.review, tokenTtlMs: 0, now }),
    ),
    authorize: unionAuthorizer(allowPrivilegedGroup, decide),
    decide,
  };
}

/** The configuration that is published for extension API servers. */
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

/** The server itself uses the same configuration. */
function clusterAuthentication(pki: LocalPki): ClusterAuthenticationSource {
  return new ClusterAuthenticationSource({ read: async () => authenticationConfig(pki) });
}
