import { messageOf } from "@rookery/errors";
import type { HttpRequest } from "@rookery/http";
import { AuthenticationError } from "../errors.ts";
import { firstAnswer } from "../first-answer.ts";
import { systemUsers, type UserInfo } from "../request/user.ts";

/**
 * Returns the user of a request, or undefined without a credential of this kind. Throws for an
 * invalid credential.
 */
export type Authenticator = (
  request: HttpRequest,
) => UserInfo | undefined | Promise<UserInfo | undefined>;

/**
 * Returns the first user that an authenticator finds. Errors count only if none does: a certificate
 * may be meant for another authenticator.
 */
export function unionAuthenticator(...authenticators: readonly Authenticator[]): Authenticator {
  return (request) => {
    const errors: unknown[] = [];
    const user = firstAnswer(authenticators, (authenticate) => authenticate(request), errors);
    if (user instanceof Promise) return user.then((found) => found ?? noUser(errors));
    return user ?? noUser(errors);
  };
}

function noUser(errors: readonly unknown[]): undefined {
  if (errors.length === 0) return undefined;
  throw new AuthenticationError(errors.map(messageOf).join("; "), { cause: errors[0] });
}

/** Requests without a credential become system:anonymous; an invalid credential stays an error. */
export function withAnonymous(authenticate: Authenticator): Authenticator {
  return mapUser(authenticate, (user) => user ?? anonymousUser);
}

/** Adds the group system:authenticated to every user except the anonymous one. */
export function withAuthenticatedGroup(authenticate: Authenticator): Authenticator {
  const known = new WeakMap<UserInfo, UserInfo>();
  return mapUser(authenticate, (user) => {
    if (user === undefined || user.name === systemUsers.anonymous) return user;
    const grouped = known.get(user) ?? inAuthenticatedGroup(user);
    // Users of certificates stay the same objects during a connection.
    known.set(user, grouped);
    return grouped;
  });
}

function inAuthenticatedGroup(user: UserInfo): UserInfo {
  const decided = [systemUsers.authenticatedGroup, systemUsers.unauthenticatedGroup];
  if (user.groups.some((group) => decided.some((name) => name === group))) return user;
  return { ...user, groups: [...user.groups, systemUsers.authenticatedGroup] };
}

function mapUser(
  authenticate: Authenticator,
  map: (user: UserInfo | undefined) => UserInfo | undefined,
): Authenticator {
  return (request) => {
    const user = authenticate(request);
    return user instanceof Promise ? user.then(map) : map(user);
  };
}

const anonymousUser: UserInfo = {
  name: systemUsers.anonymous,
  groups: [systemUsers.unauthenticatedGroup],
};
