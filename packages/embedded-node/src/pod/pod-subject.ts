import type { EventSubject } from "@rookery/runtime";
import type { BoundPod } from "./pod.ts";

/** The pod, or one container of it, as events name it. */
export function podSubject({ metadata }: BoundPod, fieldPath?: string): EventSubject {
  const { name = "", namespace = "", uid = "", resourceVersion = "" } = metadata;
  const about = { apiVersion: "v1", kind: "Pod", name, namespace, uid, resourceVersion };
  return fieldPath === undefined ? about : { ...about, fieldPath };
}
