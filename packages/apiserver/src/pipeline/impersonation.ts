import { type HttpHeaders, type HttpRequest, headerValue, type Interceptor } from "@rookery/http";
import { badRequestError } from "@rookery/kube";
import { hasName, unescapeKey } from "../authentication/request-header.ts";
import { type Attributes, type Authorizer, emptyAttributes } from "../authorization/authorizer.ts";
import { userKey, userOf } from "../request/request-context.ts";
import { systemUsers, type UserInfo } from "../request/user.ts";
import { auditRecordKey } from "./audit.ts";
import { assertAllowed } from "./authorization.ts";

const userHeader = "impersonate-user";
const groupHeader = "impersonate-group";
const uidHeader = "impersonate-uid";
const extraPrefix = "impersonate-extra-";
const serviceAccountPrefix = "system:serviceaccount:";

/** Impersonates users and groups, if each part is authorized. */
export function withImpersonation(authorize: Authorizer): Interceptor {
  return (next) => {
    const impersonate = async (request: HttpRequest) => {
      const wanted = wantedUser(request.headers);
      for (const attributes of permissionsFor(wanted, userOf(request))) {
        await assertAllowed(authorize, attributes, request);
      }
      return next(asUser(request, withSystemGroups(wanted)));
    };
    return (request) =>
      hasName(request.headers, isImpersonation) ? impersonate(request) : next(request);
  };
}

function asUser(request: HttpRequest, impersonated: UserInfo): HttpRequest {
  const record = request.context.get(auditRecordKey);
  if (record) record.impersonatedUser = impersonated;
  const entries = Object.entries(request.headers).filter(([name]) => !isImpersonation(name));
  const context = request.context.with(userKey, impersonated);
  return { ...request, headers: Object.fromEntries(entries), context };
}

function isImpersonation(name: string): boolean {
  if (!name.startsWith("impersonate-")) return false;
  return [userHeader, groupHeader, uidHeader].includes(name) || name.startsWith(extraPrefix);
}

interface WantedUser extends UserInfo {
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

function wantedUser(headers: HttpHeaders): WantedUser {
  const name = headerValue(headers, userHeader) ?? "";
  if (name === "") {
    throw badRequestError("requested impersonation of groups, a uid or extra without a user");
  }
  const extra: [string, string[]][] = Object.entries(headers)
    .filter(([header]) => header.startsWith(extraPrefix))
    .map(([header, value]) => [
      unescapeKey(header.slice(extraPrefix.length)),
      [value ?? []].flat(),
    ]);
  const uid = headerValue(headers, uidHeader) ?? "";
  const groups = [headers[groupHeader] ?? []].flat();
  return { name, groups, ...(uid !== "" && { uid }), extra: Object.fromEntries(extra) };
}

/** The permissions to check: the user, each group, each extra value, the uid. */
function permissionsFor(wanted: WantedUser, user: UserInfo): Attributes[] {
  const core = (resource: string, name: string, namespace = "") =>
    permission(user, { resource, name, namespace, version: "v1" });
  const [namespace, account] = serviceAccountOf(wanted.name) ?? [];
  const extra = Object.entries(wanted.extra).flatMap(([subresource, values]) =>
    values.map((name) =>
      permission(user, { ...authentication, resource: "userextras", subresource, name }),
    ),
  );
  const { uid = "" } = wanted;
  return [
    account ? core("serviceaccounts", account, namespace) : core("users", wanted.name),
    ...wanted.groups.map((name) => core("groups", name)),
    ...extra,
    ...(uid === "" ? [] : [permission(user, { ...authentication, resource: "uids", name: uid })]),
  ];
}

const authentication = { group: "authentication.k8s.io", version: "v1" };

function permission(user: UserInfo, about: Partial<Attributes>): Attributes {
  return { ...emptyAttributes, user, verb: "impersonate", isResourceRequest: true, ...about };
}

function serviceAccountOf(name: string): readonly [string, string] | undefined {
  if (!name.startsWith(serviceAccountPrefix)) return undefined;
  const [namespace, account, ...rest] = name.slice(serviceAccountPrefix.length).split(":");
  return namespace && account && rest.length === 0 ? [namespace, account] : undefined;
}

/** Adds implied groups unless groups are named explicitly. */
function withSystemGroups(wanted: WantedUser): UserInfo {
  const [namespace] = serviceAccountOf(wanted.name) ?? [];
  const implied = namespace
    ? ["system:serviceaccounts", `system:serviceaccounts:${namespace}`]
    : [];
  const groups = wanted.groups.length > 0 ? wanted.groups : implied;
  const { anonymous, authenticatedGroup, unauthenticatedGroup } = systemUsers;
  const own = wanted.name === anonymous ? unauthenticatedGroup : authenticatedGroup;
  const decided = groups.includes(own) || groups.includes(unauthenticatedGroup);
  return { ...wanted, groups: decided ? groups : [...groups, own] };
}
