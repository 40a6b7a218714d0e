import { describeSet, isEmpty, minus, noNamespaces } from "../identity/namespace-set.ts";
import { type Clash, claimedNamespaces } from "../instances/claimed-namespaces.ts";
import { byAge } from "../instances/core-of.ts";
import {
  describeInstance,
  type Family,
  type Instance,
  isGoing,
  isThere,
} from "../instances/family.ts";
import { refusal } from "./refusal.ts";

/**
 * Whether the namespaces that an instance claims are its own. Who has them already, or is the elder of
 * two that have not begun, is not refused. Throws PhaseError.
 */
export function checkDivision(family: Family): void {
  const { self } = family;
  const clash = claimedNamespaces(family).clashes.find((one) => !hasPrecedence(self, one));
  if (!clash) return;
  const namespaces = describeSet(clash.namespaces);
  throw refusal(
    "NamespaceClash",
    `could not give ${namespaces} to ${describeInstance(self)}: ${describeInstance(clash.other)} claims ` +
      "the same; let spec.watch of only one of them name each namespace, and it goes on by itself",
  );
}

function hasPrecedence({ view }: Instance, { other, namespaces }: Clash): boolean {
  if (isEmpty(minus(namespaces, view.watching ?? noNamespaces))) return true;
  return !isThere(other) && view.watching === undefined && byAge(view, other.view) < 0;
}

/**
 * Whether all instances are to be the same: of one version, with the same images in their specs.
 * Nothing is changed while they differ. Throws PhaseError.
 */
export function checkSkew({ self, others }: Family): void {
  const kin = others.filter((one) => !isGoing(one));
  const wanted = versionOf(self);
  const skewed = kin.filter((one) => versionOf(one) !== undefined && versionOf(one) !== wanted);
  if (wanted !== undefined && skewed.length > 0) {
    const named = skewed.map((one) => `${describeInstance(one)} names ${versionOf(one)}`);
    throw refusal(
      "VersionSkew",
      `could not change ${describeInstance(self)} to ${wanted}: ${named.join(", ")}; all instances of a ` +
        "provider have one version: set the same spec.version on each, and it goes on by itself",
    );
  }
  const other = kin.find((one) => imagesInSpec(one) !== imagesInSpec(self));
  if (other) throw imageSkew(self, other, "their specs name different images");
}

/**
 * The first goes ahead, with the CRDs of all; the others follow when it is well. Throws PhaseError.
 */
export function checkFirst({ self, first }: Family): void {
  const wanted = versionOf(self);
  if (self === first || (self.view.installed && self.view.installed.version === wanted)) return;
  const { installed, next, isReady, provider } = first.view;
  const isWell = isReady || (provider.spec?.paused === true && installed !== undefined);
  if (isWell && !next && (wanted === undefined || installed?.version === wanted)) return;
  const has = installed ? `has ${installed.version}` : "is not installed";
  throw refusal(
    "WaitingForFirst",
    `could not install ${describeInstance(self)} ${wanted ?? ""} yet: ${describeInstance(first)}, the ` +
      `first instance, ${has}${isWell ? "" : " and is not ready"}; its conditions say why, and this goes on ` +
      "by itself when it has the version and is ready",
  );
}

/** Whether rendered images are those that the first instance runs. Throws PhaseError. */
export function checkImages({ self, first }: Family, images: readonly string[]): void {
  const running = first.view.images ?? [];
  if (self === first || running.length === 0 || !isThere(first)) return;
  const wanted = [...images].sort();
  if (JSON.stringify(wanted) === JSON.stringify([...running].sort())) return;
  const why = `it would run ${wanted.join(", ")}, and the first instance runs ${running.join(", ")}`;
  throw imageSkew(self, first, why);
}

function imageSkew(self: Instance, other: Instance, why: string) {
  return refusal(
    "ImageSkew",
    `could not install ${describeInstance(self)} beside ${describeInstance(other)}: ${why}; all instances ` +
      "of a provider run the same: correct spec.deployment or where the components come from",
  );
}

function versionOf({ view }: Instance): string | undefined {
  return view.provider.spec?.version;
}

function imagesInSpec({ view }: Instance): string {
  const containers = view.provider.spec?.deployment?.containers ?? [];
  const images = containers.filter(({ image }) => image !== undefined);
  return JSON.stringify(images.map(({ name, image }) => [name, image]).sort());
}
