import type { JWTAuthenticator } from "@rookery/api";
import type { JSONValue } from "@rookery/schema";
import type { JWTPayload } from "jose";
import type { UserInfo } from "../../authenticators/authenticator.ts";
import { TokenRefusedError } from "../../errors.ts";
import type { ClaimRules } from "./claim-rules.ts";
import { Budget } from "./expressions.ts";

export type ClaimsSpec = Pick<
  JWTAuthenticator["spec"],
  "claims" | "claimValidationRules" | "userValidationRules"
>;

/** Reads the user from claims, in the order of kube-apiserver. Errors: TokenRefusedError. */
export function userFromClaims(payload: JWTPayload, rules: ClaimRules): UserInfo {
  const budget = new Budget();
  const user = {
    username: usernameOf(payload, rules, budget),
    groups: groupsOf(payload, rules, budget),
  };
  for (const { claim, value } of rules.required) assertValue(payload, claim, value);
  const claims = payload as Readonly<Record<string, JSONValue>>;
  for (const rule of rules.ofClaims) budget.assert(rule, { claims });
  const asked = { ...user, uid: "", extra: {} };
  for (const rule of rules.ofUsers) budget.assert(rule, { user: asked });
  return user;
}

function usernameOf(payload: JWTPayload, { username }: ClaimRules, budget: Budget): string {
  if ("compiled" in username) {
    const name = budget.value(username, { claims: payload as Record<string, JSONValue> });
    if (typeof name === "string" && name !== "") return name;
    throw new TokenRefusedError(`expression '${username.text}' gives no name of a user`);
  }
  const name = own(payload, username.claim);
  if (typeof name !== "string" || name === "") {
    throw new TokenRefusedError(`its claim "${username.claim}" is not the name of a user`);
  }
  if (username.claim === "email") assertVerified(payload);
  return `${username.prefix}${name}`;
}

/** An address that is not verified may be that of another user. */
function assertVerified(payload: JWTPayload): void {
  const verified = own(payload, "email_verified");
  if (verified === undefined || verified === true) return;
  throw new TokenRefusedError("its email is not verified");
}

function groupsOf(payload: JWTPayload, { groups }: ClaimRules, budget: Budget): string[] {
  if ("compiled" in groups) {
    const list = budget.value(groups, { claims: payload as Record<string, JSONValue> });
    return namesOf(list, `what expression '${groups.text}' gives`);
  }
  const names = namesOf(own(payload, groups.claim), `its claim "${groups.claim}"`);
  return names.map((name) => `${groups.prefix}${name}`);
}

function namesOf(value: unknown, what: string): string[] {
  if (value === undefined || value === null) return [];
  const names: unknown[] = Array.isArray(value) ? value : [value];
  if (names.every((name) => typeof name === "string")) {
    return [...new Set(names)].filter((name) => name !== "");
  }
  throw new TokenRefusedError(`${what} is neither a string nor a list of strings`);
}

function assertValue(payload: JWTPayload, claim: string, value: string): void {
  if (!Object.hasOwn(payload, claim)) {
    throw new TokenRefusedError(`it does not have the required claim "${claim}"`);
  }
  if (payload[claim] === value) return;
  throw new TokenRefusedError(`its claim "${claim}" does not have the required value`);
}

/** Ignores inherited properties, such as "constructor". */
function own(payload: JWTPayload, name: string): unknown {
  return Object.hasOwn(payload, name) ? payload[name] : undefined;
}
