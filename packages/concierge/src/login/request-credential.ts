import type { Client } from "@rookery/client";
import {
  findStatusError,
  formatApiVersion,
  isForbidden,
  isNotFound,
  isServiceUnavailable,
} from "@rookery/kube";
import type {
  ClusterCredential,
  TokenCredentialRequest,
} from "../aggregated-api/token-credential-request.ts";
import { LoginError } from "../errors.ts";
import { renamedGroup } from "../group-suffix.ts";
import { authenticationGroup, tokenCredentialRequests } from "../names.ts";

/** A concierge, and one of its authenticators. */
export interface Concierge {
  readonly apiGroupSuffix: string;
  readonly authenticator: { readonly kind: string; readonly name: string };
}

/** Exchanges a token for a credential. Errors: LoginError. */
export async function requestCredential(
  client: Client,
  concierge: Concierge,
  token: string,
): Promise<ClusterCredential> {
  const { apiGroupSuffix: suffix, authenticator } = concierge;
  const resource = {
    ...tokenCredentialRequests,
    group: renamedGroup(tokenCredentialRequests.group, suffix),
  };
  const apiGroup = renamedGroup(authenticationGroup, suffix);
  const request: TokenCredentialRequest = {
    apiVersion: formatApiVersion(resource),
    kind: resource.kind,
    metadata: {},
    spec: { token, authenticator: { apiGroup, ...authenticator } },
  };
  const answer = await client
    .resource<TokenCredentialRequest>(resource)
    .create(request)
    .catch((error) => {
      throw new LoginError(whyRefused(error, resource.group), { cause: error });
    });
  return credentialOf(answer, authenticator);
}

function credentialOf(
  { status }: TokenCredentialRequest,
  { kind, name }: Concierge["authenticator"],
): ClusterCredential {
  if (status?.credential) return status.credential;
  const why = status?.message ?? "the concierge gave no credential";
  const solution = `is the token valid and meant for it, and is ${kind} "${name}" ready?`;
  throw new LoginError(`${why}: ${solution}`);
}

function whyRefused(error: unknown, group: string): string {
  if (isNotFound(error)) {
    return `the cluster serves no ${group}: is a concierge installed, and --api-group-suffix its own?`;
  }
  if (isServiceUnavailable(error)) {
    return `the concierge of ${group} does not answer: look at its APIService and its pods`;
  }
  const { message } = findStatusError(error) ?? (error as Error);
  if (!isForbidden(error)) return message;
  return `${message}: whoever is not logged in must be allowed to create tokencredentialrequests`;
}
