import {
  type Attributes,
  type Authenticator,
  type Authorizer,
  type ClusterAuthenticationSource,
  type Decision,
  privilegedGroups,
  systemUsers,
  unionAuthenticator,
  unionAuthorizer,
} from "@rookery/apiserver";
import { createLocalAuthenticator } from "../authentication/local-authenticator.ts";
import {
  createServiceAccountTokens,
  type ServiceAccountTokens,
} from "../authentication/service-account-tokens.ts";
import { createTokenKeys, type TokenKeys } from "../authentication/token-keys.ts";
import { createRbacAuthorizer } from "../rbac/rbac-authorizer.ts";
import { createRuleResolver, type RuleResolver } from "../rbac/rule-resolver.ts";
import { clusterAuthentication } from "./cluster-authentication.ts";
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
