import { preflightError } from "../errors.ts";
import { describeSet, isEmpty, minus, noNamespaces } from "../identity/namespace-set.ts";
import { type Clash, claimedNamespaces } from "../instances/claimed-namespaces.ts";
import { byAge, isDeleting } from "../instances/core-of.ts";
import {
  describeInstance,
  type Family,
  hasComponents,
  type Instance,
} from "../instances/family.ts";

/** Of two instances with the same claim, only the one that has it, or the older one, passes. */
export function checkClaims(family: Family): void {
  const { self } = family;
  const clash = claimedNamespaces(family).clashes.find((one) => !hasPrecedence(self, one));
  if (!clash) return;
  const namespaces = describeSet(clash.namespaces);
  throw preflightError(
    "NamespaceClash",
    `could not give ${namespaces} to ${describeInstance(self)}: ${describeInstance(clash.other)} claims ` +
      "the same; let spec.watch of only one of them name each namespace, and it goes on by itself",
  );
}

function hasPrecedence({ view }: Instance, { other, namespaces }: Clash): boolean {
  if (isEmpty(minus(namespaces, view.watching ?? noNamespaces))) return true;
  return !hasComponents(other) && view.watching === undefined && byAge(view, other.view) < 0;
}

/** All instances have to have the same version, and the same images in their specs. Throws PhaseError. */
export function checkSkew({ self, others }: Family): void {
  const kin = others.filter(({ view }) => !isDeleting(view));
  const wanted = versionOf(self);
  const skewed = kin.filter((one) => versionOf(one) !== undefined && versionOf(one) !== wanted);
  if (wanted !== undefined && skewed.length > 0) {
    const named = skewed.map((one) => `${describeInstance(one)} names ${versionOf(one)}`);
    throw preflightError(
      "VersionSkew",
      `could not change ${describeInstance(self)} to ${wanted}: ${named.join(", ")}; all instances of a ` +
        "provider have one version: set the same spec.version on each, and it goes on by itself",
    );
  }
  const other = kin.find((one) => imagesInSpec(one) !== imagesInSpec(self));
  if (other) throw imageSkew(self, other, "their specs name different images");
}

/** The first instance, with the CRDs, is changed before the others. Throws PhaseError until it is ready. */
export function checkFirst({ self, first }: Family): void {
  const wanted = versionOf(self);
  if (self === first || (self.view.installed && self.view.installed.version === wanted)) return;
  const { installed, next, isReady, provider } = first.view;
  const isWell = isReady || (provider.spec?.paused === true && installed !== undefined);
  if (isWell && !next && (wanted === undefined || installed?.version === wanted)) return;
  const has = installed ? `has ${installed.version}` : "is not installed";
  throw preflightError(
    "WaitingForFirst",
    `could not install ${describeInstance(self)} ${wanted ?? ""} yet: ${describeInstance(first)}, the ` +
      `first instance, ${has}${isWell ? "" : " and is not ready"}; its conditions say why, and this goes on ` +
      "by itself when it has the version and is ready",
  );
}

/** The rendered images have to be those of the first instance. Throws PhaseError. */
export function checkImages({ self, first }: Family, images: readonly string[]): void {
  const running = first.view.images ?? [];
  if (self === first || running.length === 0 || !hasComponents(first)) return;
  const wanted = [...images].sort();
  if (JSON.stringify(wanted) === JSON.stringify([...running].sort())) return;
  const why = `it would run ${wanted.join(", ")}, and the first instance runs ${running.join(", ")}`;
  throw imageSkew(self, first, why);
}

function imageSkew(self: Instance, other: Instance, why: string) {
  return preflightError(
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
