import type { HttpRequest } from "@rookery/http";
import { AuthenticationError } from "../errors.ts";
import { systemUsers, type UserInfo } from "../request/user.ts";

/**
 * Finds out who asks: a user, or undefined where the request carries no credential of its kind.
 * Throws where it carries one that is not good.
 */
export type Authenticator = (
  request: HttpRequest,
) => UserInfo | undefined | Promise<UserInfo | undefined>;

/**
 * Asks one after another until one knows the user. What they threw counts only where none does: a
 * certificate may be meant for another authenticator.
 */
export function unionAuthenticator(...authenticators: readonly Authenticator[]): Authenticator {
  return async (request) => {
    const errors: unknown[] = [];
    for (const authenticate of authenticators) {
      try {
        const user = await authenticate(request);
        if (user !== undefined) return user;
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length === 0) return undefined;
    throw new AuthenticationError(errors.map(messageOf).join("; "), { cause: errors[0] });
  };
}

/** Whoever shows no credential is system:anonymous; a bad credential stays an error. */
export function withAnonymous(authenticate: Authenticator): Authenticator {
  return async (request) => (await authenticate(request)) ?? anonymousUser;
}

/** Adds the group system:authenticated, which every user but the anonymous one is in. */
export function withAuthenticatedGroup(authenticate: Authenticator): Authenticator {
  return async (request) => {
    const user = await authenticate(request);
    if (user === undefined || user.name === systemUsers.anonymous) return user;
    const decided = [systemUsers.authenticatedGroup, systemUsers.unauthenticatedGroup];
    if (user.groups.some((group) => decided.some((name) => name === group))) return user;
    return { ...user, groups: [...user.groups, systemUsers.authenticatedGroup] };
  };
}

const anonymousUser: UserInfo = {
  name: systemUsers.anonymous,
  groups: [systemUsers.unauthenticatedGroup],
};

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
