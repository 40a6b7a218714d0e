/** Who asks, as an authenticator found out. */
export interface UserInfo {
  readonly name: string;
  /** "" or nothing where the authenticator knows none. */
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** A user in the field order of Kubernetes' UserInfo. */
export function userInfoObject({ name, uid, groups, extra }: UserInfo) {
  return { username: name, ...(uid && { uid }), groups, ...(extra && { extra }) };
}

/** Names that Kubernetes gives a meaning. */
export const systemUsers = {
  anonymous: "system:anonymous",
  authenticatedGroup: "system:authenticated",
  unauthenticatedGroup: "system:unauthenticated",
  privilegedGroup: "system:masters",
} as const;
