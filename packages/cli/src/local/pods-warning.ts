/** For whoever starts a node: its pods look like containers, and are none. */
export function podsWarning(uid = process.getuid?.()): string {
  const user = uid === 0 ? "root" : "you";
  return (
    `Warning: pods are processes of this machine, and no boundary: a pod can do what ${user} can do here, ` +
    "whatever namespaces and RBAC say. Run only what you trust, and keep tenants that do not trust one " +
    "another on a real Kubernetes.\n"
  );
}
