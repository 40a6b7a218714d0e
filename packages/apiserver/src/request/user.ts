/** Who asks, as an authenticator found out. */
export interface UserInfo {
  readonly name: string;
  /** "" or nothing where the authenticator knows none. */
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Names that Kubernetes gives a meaning. */
export const systemUsers = {
  anonymous: "system:anonymous",
  authenticatedGroup: "system:authenticated",
  unauthenticatedGroup: "system:unauthenticated",
  privilegedGroup: "system:masters",
} as const;
