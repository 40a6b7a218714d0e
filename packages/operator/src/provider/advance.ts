import { isFalse } from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import { PhaseError } from "../errors.ts";
import { describeSet } from "../identity/namespace-set.ts";
import type { HeldNamespaces } from "../instances/held-namespaces.ts";
import { checkUnpause } from "../preflight/preflight.ts";
import { installedRelease } from "../state/state-secrets.ts";
import { collectWarnings } from "./phases/collect-warnings.ts";
import { install } from "./phases/install.ts";
import { unpause } from "./phases/pause.ts";
import { findLatestVersion, prepareRelease } from "./phases/prepare-release.ts";
import { releaseRights } from "./phases/release-rights.ts";
import { updateLayout } from "./phases/update-layout.ts";
import { needsNewRelease } from "./policies.ts";
import type { Progress } from "./progress.ts";
import type { Report } from "./report.ts";
import type { ProviderScope } from "./scope.ts";

/**
 * Takes a provider as far as it can be taken now; one that waits to be deleted, without a new release. What fails keeps nothing else from going on: while a
 * new version cannot be had, the old one is looked after. Resolves to undefined where the spec was
 * written: there is an event for that.
 */
export async function advance(scope: ProviderScope): Promise<Report | undefined> {
  const report = await bringOn(scope);
  const warnings = report && (await collectWarnings(scope));
  return warnings ? { ...report, warnings } : report;
}

async function bringOn(scope: ProviderScope): Promise<Report | undefined> {
  const { provider, record } = scope;
  const attempts = new Attempts();
  const asked = provider.spec?.paused === true;
  if (!asked) await attempts.make(() => endPause(scope));
  const paused = asked || attempts.failures.length > 0;
  const { failures } = attempts;
  const isLeaving = isBeingDeleted(provider);
  // What is asked to go and still used is looked after as it is.
  const isWanted = () => isLeaving || !needsNewRelease(provider, record.state, paused);
  if (!isWanted()) {
    const begun = await attempts.make(() => begin(scope));
    if (begun === "SpecWritten") return undefined;
    // Said before it is done: what follows may take a while.
    if (begun === "Prepared") return { failures, progress: beginning(scope), isWanted: true };
  }
  const held = await attempts.make(() => updateLayout(scope));
  const proceeded = await attempts.make(() => install(scope, paused));
  const rights = await attempts.make(() => releaseRights(scope));
  const progress = proceeded && soonerBy(rights, waitingFor(held ?? [], proceeded));
  return { failures, progress, isWanted: isWanted() };
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
  // Whoever takes the version out of the spec does not ask for another one.
  const installed = installedRelease(scope.record.state)?.version;
  const version = installed ?? (await findLatestVersion(scope));
  const spec = { ...provider.spec, version };
  await scope.commit(provider, { ...provider, spec }, { signal });
  return "SpecWritten";
}

/** Pods of other instances are watched, what is told of them is not always all. */
const handOverSeconds = 2;
/** How many holders a message names. */
const shown = 3;

/** What runs is not all that the spec asks for, as long as others hold some of it. */
function waitingFor(held: readonly HeldNamespaces[], progress: Progress): Progress {
  if (held.length === 0) return progress;
  const named = held.map(({ who, namespaces }) => `${who} has ${describeSet(namespaces)}`);
  const more = held.length > shown ? ` and ${held.length - shown} more` : "";
  const why = `waiting for others to let go: ${named.slice(0, shown).join(", ")}${more}`;
  const available = isFalse("WaitingForHandOver", why);
  const { requeueAfterSeconds = handOverSeconds } = progress;
  const soon = Math.min(handOverSeconds, requeueAfterSeconds);
  return { ...progress, available, requeueAfterSeconds: soon };
}

function soonerBy(seconds: number | undefined, progress: Progress): Progress {
  if (seconds === undefined) return progress;
  const { requeueAfterSeconds = seconds } = progress;
  return { ...progress, requeueAfterSeconds: Math.min(seconds, requeueAfterSeconds) };
}

function beginning({ record }: ProviderScope): Progress {
  const { phase, release } = record.state;
  const reason = phase === "Removing" ? "Removing" : "Installing";
  return {
    installed: isFalse(reason, `${release?.version} is being installed`),
    requeueAfterSeconds: 0,
  };
}
