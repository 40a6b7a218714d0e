import { isContractCompatible } from "@rookery/components";
import { builtOn, coreOf, describeProvider, isCore } from "../instances/core-of.ts";
import type { ProviderView } from "../state/provider-view.ts";
import type { PreflightInput } from "./preflight.ts";
import { refusal } from "./refusal.ts";

type Target = NonNullable<PreflightInput["target"]>;

/**
 * Whether a provider may become what was fetched: all abide by the core's contract then, or all are
 * paused and scaled down. A change of contract needs the latter even where all would fit, unless
 * contractPolicy says Compatible. Throws PhaseError.
 */
export function checkContract({ self, others, target }: PreflightInput): void {
  const core = coreOf(self, others);
  if (!target || !core) return;
  const { next: _, ...current } = self;
  const planned = { ...current, installed: target };
  const family = familyOf(core, [self, ...others]);
  const isHeld = misfitsOf(core, family).length > 0;
  const running = family.filter((view) => !isAtRest(view, isHeld));
  if (running.length === 0) return;
  const misfits = isCore(self)
    ? misfitsOf(planned, builtOn(core, others))
    : misfitsOf(installedCore(core, self), [planned]);
  const isChange = self.installed !== undefined && self.installed.contract !== target.contract;
  const isFree = misfits.length === 0 && policyOf(self) === "Compatible";
  if (isChange && !isFree) throw changeBlocked(self, target, running);
  if (misfits.length > 0) throw mismatch(planned, isCore(self) ? misfits : [core]);
}

/**
 * The contract that a provider has to abide by: the core's, or the one that it is changed to; for a core,
 * that of what builds on it. Undefined where any would do.
 */
export function wantedContract({ self, others }: PreflightInput): string | undefined {
  const core = coreOf(self, others);
  if (core && !isCore(self)) return (core.next ?? core.installed)?.contract;
  const dependent = core && builtOn(core, others).find(({ installed }) => installed !== undefined);
  return dependent?.installed?.contract;
}

/**
 * Nobody is unpaused while somebody abides by another contract than the core, or is on the way from or
 * to one. Throws PhaseError.
 */
export function checkUnpause({ self, others }: PreflightInput): void {
  const core = coreOf(self, others);
  if (!core?.installed) return;
  const misfits = misfitsOf(core, familyOf(core, [self, ...others]));
  if (misfits.length === 0) return;
  const { contract } = core.next ?? core.installed;
  throw refusal(
    "UnpauseBlocked",
    `could not unpause ${describeProvider(self)}: ${describeProvider(core)} abides by ${contract}, ` +
      `and ${listed(misfits)}; set spec.version there to a release that abides by ${contract}`,
  );
}

/** A core with all that builds on it. */
function familyOf(core: ProviderView, views: readonly ProviderView[]): readonly ProviderView[] {
  return [core, ...builtOn(core, views)];
}

/**
 * Nothing of it runs, and nothing of it will: it is paused, or it waits to be unpaused and is held,
 * because somebody is still on another contract.
 */
function isAtRest(view: ProviderView, isHeld: boolean): boolean {
  const { provider, installed, isScaledDown } = view;
  if (provider.spec?.paused === true) return isScaledDown || installed === undefined;
  return isHeld && isScaledDown && installed !== undefined;
}

/** Those that have a contract, now or soon, which is not the core's, nor one that they may have beside it. */
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

/** While a core is changed nobody can tell which contract to abide by. */
function installedCore(core: ProviderView, self: ProviderView): ProviderView {
  if (core.installed) return core;
  throw refusal(
    "CoreProviderNotReady",
    `could not install ${describeProvider(self)} yet: ${describeProvider(core)} is not installed; ` +
      "its conditions say why, and this goes on by itself when it is",
  );
}

function changeBlocked(self: ProviderView, target: Target, running: readonly ProviderView[]) {
  const { contract, version } = target;
  return refusal(
    "ContractChangeBlocked",
    `could not change ${describeProvider(self)} to ${version}: its contract becomes ${contract} ` +
      `instead of ${self.installed?.contract}, and for that all providers have to be paused and ` +
      `scaled down; ${running.map(whyNotAtRest).join(", ")}; set spec.paused on each of them`,
  );
}

function whyNotAtRest(view: ProviderView): string {
  const why = view.provider.spec?.paused ? "still has pods" : "is not paused";
  return `${describeProvider(view)} ${why}`;
}

function mismatch({ installed, ...self }: ProviderView, differing: readonly ProviderView[]) {
  const way = isCore(self)
    ? "choose a version of that contract, or pause all providers to change it"
    : "choose a version of that contract, or set spec.contractPolicy to Compatible where the core still serves the older one";
  return refusal(
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
