import type { KubeObject } from "@rookery/kube";
import type { HealthCheck } from "@rookery/runtime";
import type { AuthenticatorRegistry } from "./registry.ts";

interface Watched {
  readonly informer: { readonly hasSynced: boolean; list(): readonly KubeObject[] };
  readonly registry: AuthenticatorRegistry;
}

/**
 * For readiness: fails until all authenticators that there are have been examined once, be it in vain.
 * A replica that knew none yet would refuse good tokens that another one takes.
 */
export function examinedCheck(kinds: readonly Watched[]): HealthCheck {
  let isExamined = false;
  return () => {
    if (isExamined) return;
    if (!kinds.every(({ informer }) => informer.hasSynced)) {
      throw new Error("the authenticators are not known yet");
    }
    const waiting = kinds.flatMap(({ informer, registry }) =>
      informer.list().filter(({ metadata }) => !registry.has(metadata.name ?? "")),
    );
    if (waiting.length > 0) throw new Error(`${waiting.length} authenticators are being examined`);
    isExamined = true;
  };
}
