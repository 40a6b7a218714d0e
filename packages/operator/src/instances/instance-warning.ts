/** Something that an administrator should know of a division, and that keeps nothing from working. */
export interface InstanceWarning {
  readonly reason:
    | "NamespaceGap"
    | "ReferencesLeaveScope"
    | "ClusterRights"
    | "SharedCredentials"
    | "NamespaceMissing"
    | "NamespacesKept";
  readonly message: string;
}
