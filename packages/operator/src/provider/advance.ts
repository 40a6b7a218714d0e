import { PhaseError } from "../errors.ts";
import { checkUnpause } from "../preflight/preflight.ts";
import { unpause } from "./phases/pause.ts";
import { findLatestVersion, prepareRelease } from "./phases/prepare-release.ts";
import { proceed } from "./phases/proceed.ts";
import { needsNewRelease } from "./policies.ts";
import { not, type Progress } from "./progress.ts";
import type { Report } from "./report.ts";
import type { ProviderScope } from "./scope.ts";

/**
 * Takes a provider as far as it can be taken now. What fails keeps nothing else from going on: while a
 * new version cannot be had, the old one is looked after. Resolves to undefined where the spec was
 * written: there is an event for that.
 */
export async function advance(scope: ProviderScope): Promise<Report | undefined> {
  const { provider, record } = scope;
  const attempts = new Attempts();
  const asked = provider.spec?.paused === true;
  if (!asked) await attempts.make(() => endPause(scope));
  const paused = asked || attempts.failures.length > 0;
  const { failures } = attempts;
  if (needsNewRelease(provider, record.state, paused)) {
    const begun = await attempts.make(() => begin(scope));
    if (begun === "SpecWritten") return undefined;
    // Said before it is done: what follows may take a while.
    if (begun === "Prepared") return { failures, progress: beginning(scope), isWanted: true };
  }
  const progress = await attempts.make(() => proceed(scope, paused));
  const isWanted = !needsNewRelease(provider, record.state, paused);
  return { failures, progress, isWanted };
}

/** Keeps what fails for the conditions. */
class Attempts {
  readonly failures: PhaseError[] = [];

  async make<T>(step: () => Promise<T>): Promise<T | undefined> {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof PhaseError)) throw error;
      this.failures.push(error);
      return undefined;
    }
  }
}

/** Rejects with a PhaseError where the provider has to stay paused. */
async function endPause(scope: ProviderScope): Promise<void> {
  if (scope.record.state.replicas === undefined) return;
  checkUnpause(scope.views());
  await unpause(scope);
}

/** Errors: PhaseError. */
async function begin(scope: ProviderScope): Promise<"SpecWritten" | "Prepared"> {
  const { provider, signal } = scope;
  if (provider.spec?.version !== undefined) {
    await prepareRelease(scope, provider.spec.version);
    return "Prepared";
  }
  const version = await findLatestVersion(scope);
  const spec = { ...provider.spec, version };
  await scope.commit(provider, { ...provider, spec }, { signal });
  return "SpecWritten";
}

function beginning({ record }: ProviderScope): Progress {
  const { phase, release } = record.state;
  const reason = phase === "Removing" ? "Removing" : "Installing";
  return {
    installed: not(reason, `${release?.version} is being installed`),
    requeueAfterSeconds: 0,
  };
}
