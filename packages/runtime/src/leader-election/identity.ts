import { randomUUID } from "node:crypto";
import { hostname } from "node:os";

/** A name that no other process has: "hostname_uuid", as controller-runtime makes it. */
export function createIdentity(): string {
  return `${hostname()}_${randomUUID()}`;
}
