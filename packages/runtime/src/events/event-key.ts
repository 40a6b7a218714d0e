import type { KubeEvent, ObjectReference } from "./event.ts";

/** Which source tells about which object. */
export function objectKey(event: KubeEvent): string {
  const { reportingController, reportingInstance, regarding } = event;
  return JSON.stringify([reportingController, reportingInstance, ...identityOf(regarding)]);
}

/** What events have in common that differ in their note alone. */
export function similarityKey(event: KubeEvent): string {
  const { type, reason, action, related } = event;
  const rest = [type, reason, action, related ? identityOf(related) : null];
  return objectKey(event) + JSON.stringify(rest);
}

/** Without the resourceVersion: an object that changes stays the same object. */
function identityOf(reference: ObjectReference): unknown[] {
  const { apiVersion, kind, namespace, name, uid, fieldPath } = reference;
  return [apiVersion, kind, namespace, name, uid, fieldPath];
}
