/** An authenticated user. */
export interface UserInfo {
  readonly name: string;
  /** "" or undefined if unknown. */
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** A user in the field order of Kubernetes' UserInfo. */
export function userInfoObject({ name, uid, groups, extra }: UserInfo) {
  return { username: name, ...(uid && { uid }), groups, ...(extra && { extra }) };
}

/** Well-known users and groups. */
export const systemUsers = {
  anonymous: "system:anonymous",
  authenticatedGroup: "system:authenticated",
  unauthenticatedGroup: "system:unauthenticated",
  privilegedGroup: "system:masters",
} as const;
