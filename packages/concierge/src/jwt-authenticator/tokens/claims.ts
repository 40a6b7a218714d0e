import type { JWTPayload } from "jose";
import type { UserInfo } from "../../authenticators/authenticator.ts";
import { TokenRefusedError } from "../../errors.ts";

/** Which claims say who the user is. */
export interface ClaimNames {
  readonly username: string;
  readonly groups: string;
}

/** Those that a JWTAuthenticator names; Pinniped's own where it names none. */
export function claimNames(claims: Partial<ClaimNames> | undefined): ClaimNames {
  return { username: claims?.username || "username", groups: claims?.groups || "groups" };
}

/** Reads the user from the claims of a token, as Kubernetes does. Errors: TokenRefusedError. */
export function userFromClaims(payload: JWTPayload, names: ClaimNames): UserInfo {
  const username = own(payload, names.username);
  if (typeof username !== "string" || username === "") {
    throw new TokenRefusedError(`its claim "${names.username}" is not the name of a user`);
  }
  if (names.username === "email") assertVerified(payload);
  return { username, groups: groupsOf(own(payload, names.groups), names.groups) };
}

/** An address that the issuer has not verified may be anybody's. */
function assertVerified(payload: JWTPayload): void {
  const verified = own(payload, "email_verified");
  if (verified === undefined || verified === true) return;
  throw new TokenRefusedError("its email is not verified");
}

function groupsOf(value: unknown, name: string): string[] {
  if (value === undefined || value === null) return [];
  const groups: unknown[] = Array.isArray(value) ? value : [value];
  if (groups.every((group) => typeof group === "string")) {
    return [...new Set(groups)].filter((group) => group !== "");
  }
  throw new TokenRefusedError(`its claim "${name}" is neither a string nor a list of strings`);
}

/** Never what every object inherits, such as "constructor". */
function own(payload: JWTPayload, name: string): unknown {
  return Object.hasOwn(payload, name) ? payload[name] : undefined;
}
