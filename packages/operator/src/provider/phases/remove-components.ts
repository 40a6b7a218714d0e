import { planDeletion } from "@rookery/components";
import { inParallel } from "../../components/in-parallel.ts";
import type { OwnedEntry } from "../../state/install-state.ts";
import type { ProviderScope } from "../scope.ts";

/**
 * Removes the running instance, and keeps CRDs, their objects and the namespace: webhooks first, then
 * stage by stage, each gone before the next is asked to go. Resolves to what is still there.
 */
export async function removeComponents(scope: ProviderScope): Promise<readonly OwnedEntry[]> {
  const entries = scope.record.state.owned.map((entry) => ({ ...entry, hash: "" }));
  const { deleted } = planDeletion({ entries, hash: "" });
  const stages = Map.groupBy(deleted, ({ stage }) => stage);
  for (const [stage, members] of stages) {
    const foreground = stage === "workloads";
    const { signal } = scope;
    const gone = await inParallel(members, (entry) =>
      scope.components.delete(entry, { foreground, signal }),
    );
    const left = members.filter((_, index) => !gone[index]);
    if (left.length > 0) return left;
  }
  return [];
}
