import { isContractCompatible } from "@rookery/components";
import { preflightError } from "../errors.ts";
import { builtOn, coreOf, describeProvider, isCore } from "../instances/core-of.ts";
import type { ProviderView, ProviderViews } from "../state/provider-view.ts";

type Target = NonNullable<ProviderView["next"]>;

export interface ContractInput extends ProviderViews {
  /** Absent before the version is fetched. */
  readonly target?: Target;
}

/**
 * Checks the contract of a fetched version: it has to match the core's, or all providers have to be paused
 * and scaled down. A change of the contract requires a pause also if all would match, unless
 * contractPolicy is Compatible. Throws PhaseError.
 */
export function checkContract({ self, others, target }: ContractInput): void {
  const core = coreOf(self, others);
  if (!target || !core) return;
  const { next: _, ...current } = self;
  const planned = { ...current, installed: target };
  const family = [core, ...builtOn(core, [self, ...others])];
  const isHeld = misfitsOf(core, family).length > 0;
  const running = family.filter((view) => !isPausedOrHeld(view, isHeld));
  if (running.length === 0) return;
  const misfits = isCore(self)
    ? misfitsOf(planned, builtOn(core, others))
    : misfitsOf(installedCore(core, self), [planned]);
  const isChange = self.installed !== undefined && self.installed.contract !== target.contract;
  const isFree = misfits.length === 0 && policyOf(self) === "Compatible";
  if (isChange && !isFree) throw changeBlocked(self, target, running);
  if (misfits.length > 0) throw mismatch(planned, isCore(self) ? misfits : [core]);
}

/** The contract that a version has to have: that of the core, or of the core's providers. Undefined for any. */
export function wantedContract({ self, others }: ProviderViews): string | undefined {
  const core = coreOf(self, others);
  if (core && !isCore(self)) return (core.next ?? core.installed)?.contract;
  const dependent = core && builtOn(core, others).find(({ installed }) => installed !== undefined);
  return dependent?.installed?.contract;
}

/** No provider is unpaused while one of them has, or is changed to, another contract. Throws PhaseError. */
export function checkUnpause({ self, others }: ProviderViews): void {
  const core = coreOf(self, others);
  if (!core?.installed) return;
  const misfits = misfitsOf(core, [core, ...builtOn(core, [self, ...others])]);
  if (misfits.length === 0) return;
  const { contract } = core.next ?? core.installed;
  throw preflightError(
    "UnpauseBlocked",
    `could not unpause ${describeProvider(self)}: ${describeProvider(core)} abides by ${contract}, ` +
      `and ${listed(misfits)}; set spec.version there to a release that abides by ${contract}`,
  );
}

/** Whether a provider is paused, or cannot be unpaused yet, and has no pods. */
function isPausedOrHeld(view: ProviderView, isHeld: boolean): boolean {
  const { provider, installed, isScaledDown } = view;
  if (provider.spec?.paused === true) return isScaledDown || installed === undefined;
  return isHeld && isScaledDown && installed !== undefined;
}

/** The providers with a contract, now or soon, that is not compatible with the core's. */
function misfitsOf(core: ProviderView, views: readonly ProviderView[]): readonly ProviderView[] {
  const isMisfit = (view: ProviderView) =>
    contractsOf(core).some((contract) =>
      contractsOf(view).some(
        (provider) => !isContractCompatible({ core: contract, provider }, policyOf(view)),
      ),
    );
  return views.filter(isMisfit);
}

function contractsOf({ installed, next }: ProviderView): readonly string[] {
  return [installed, next].flatMap((release) => release?.contract ?? []);
}

function policyOf({ provider }: ProviderView) {
  return provider.spec?.contractPolicy ?? "Equal";
}

/** Without an installed core the contract is unknown. */
function installedCore(core: ProviderView, self: ProviderView): ProviderView {
  if (core.installed) return core;
  throw preflightError(
    "CoreProviderNotReady",
    `could not install ${describeProvider(self)} yet: ${describeProvider(core)} is not installed; ` +
      "its conditions say why, and this goes on by itself when it is",
  );
}

function changeBlocked(self: ProviderView, target: Target, running: readonly ProviderView[]) {
  const { contract, version } = target;
  return preflightError(
    "ContractChangeBlocked",
    `could not change ${describeProvider(self)} to ${version}: its contract becomes ${contract} ` +
      `instead of ${self.installed?.contract}, and for that all providers have to be paused and ` +
      `scaled down; ${running.map(whyRunning).join(", ")}; set spec.paused on each of them`,
  );
}

function whyRunning(view: ProviderView): string {
  const why = view.provider.spec?.paused ? "still has pods" : "is not paused";
  return `${describeProvider(view)} ${why}`;
}

function mismatch({ installed, ...self }: ProviderView, differing: readonly ProviderView[]) {
  const way = isCore(self)
    ? "choose a version of that contract, or pause all providers to change it"
    : "choose a version of that contract, or set spec.contractPolicy to Compatible where the core still serves the older one";
  return preflightError(
    "ContractMismatch",
    `could not install ${describeProvider(self)} ${installed?.version}: it abides by ` +
      `${installed?.contract}, and ${listed(differing)}; ${way}`,
  );
}

function listed(views: readonly ProviderView[]): string {
  return views
    .map((view) => `${describeProvider(view)} by ${contractsOf(view).join(", on the way to ")}`)
    .join(", ");
}
