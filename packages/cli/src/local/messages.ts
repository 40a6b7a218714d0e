import { isFullDisk } from "./data-folder.ts";

/** The warning at the start of a node, as its pods look like containers and are none. */
export function podsWarning(uid = process.getuid?.()): string {
  const user = uid === 0 ? "root" : "you";
  return (
    `Warning: pods are processes of this machine, and no boundary: a pod can do what ${user} can do here, ` +
    "whatever namespaces and RBAC say. Run only what you trust, and keep tenants that do not trust one " +
    "another on a real Kubernetes.\n"
  );
}

/** The reason of a failed start; for a port in use, it names the flag. */
export function withPortFlag(why: string): string {
  return why.replace(
    /choose another port.*$/s,
    "choose another port by --port, where 0 takes any free one",
  );
}

/** An error with its stack and its causes; a full disk needs no stack. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isFullDisk(error)) return error.message;
  const { stack = error.message, cause } = error;
  return cause === undefined ? stack : `${stack}\ncaused by ${describeError(cause)}`;
}
