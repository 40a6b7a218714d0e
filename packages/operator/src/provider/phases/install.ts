import { isFalse } from "@rookery/kube";
import { isNamespaceRight } from "../../instances/namespace-rights.ts";
import { isNotInstalled, type Progress } from "../progress.ts";
import type { ProviderScope } from "../scope.ts";
import { applyLayout } from "./apply-layout.ts";
import { applyRelease } from "./apply-release.ts";
import { keepStable } from "./keep-stable.ts";
import { pause } from "./pause.ts";
import { explainLeft, ownEntries, removeComponents } from "./remove-components.ts";
import { verifyRelease } from "./verify-release.ts";

/** What still goes is looked at again this often; events usually come first. */
const removalSeconds = 2;

/**
 * Goes on with the recorded install from wherever it is, as far as it can be gone without waiting.
 * Every step can be repeated, and is done before the next phase is recorded. Errors: PhaseError.
 */
export async function install(scope: ProviderScope, paused: boolean): Promise<Progress> {
  for (;;) {
    const { phase, release } = scope.record.state;
    if (release === undefined) {
      return { installed: isNotInstalled, available: isNotInstalled };
    }
    if (paused && (phase === "Verifying" || phase === "Stable")) await pause(scope);
    switch (phase) {
      case "Removing":
      case "RollingBack": {
        const waiting = await removal(scope);
        if (waiting) return waiting;
        break;
      }
      case "Applying":
        await applyRelease(scope, paused);
        break;
      case "Redividing":
        await applyLayout(scope, paused);
        break;
      case "Verifying": {
        const waiting = await verifyRelease(scope, paused);
        if (waiting) return waiting;
        break;
      }
      case "Stable":
        return keepStable(scope, paused);
      case "Deleting":
        return { installed: isNotInstalled, available: isNotInstalled };
    }
  }
}

/** Rights in namespaces of tenants stay, and are applied over: where one is being deleted, they cannot be made anew. */
async function removal(scope: ProviderScope): Promise<Progress | undefined> {
  // Others look after objects of their kinds, and may have made much of one: it is changed in place.
  const { namespace } = scope.provider.metadata;
  const replaced = ownEntries(scope).filter(
    (entry) => entry.stage !== "external" && !isNamespaceRight(entry, namespace),
  );
  const left = await removeComponents(replaced, scope);
  if (left.length === 0) {
    await scope.record.save({ ...scope.record.state, phase: "Applying" });
    return undefined;
  }
  const removing = isFalse("Removing", await explainLeft(left, scope));
  return { installed: removing, available: isNotInstalled, requeueAfterSeconds: removalSeconds };
}
