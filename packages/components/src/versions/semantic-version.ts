import { VersionError } from "../errors.ts";

/** A semantic version (https://semver.org). */
export interface SemanticVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** "" for a release. */
  readonly preRelease: string;
  readonly build: string;
}

const number = "(0|[1-9]\\d*)";
const identifiers = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
const pattern = new RegExp(
  `^v?${number}\\.${number}\\.${number}(?:-(${identifiers}))?(?:\\+(${identifiers}))?$`,
);

/** The "v" prefix is optional; undefined for an invalid version. */
export function tryParseVersion(text: string): SemanticVersion | undefined {
  const [, major, minor, patch, preRelease = "", build = ""] = pattern.exec(text) ?? [];
  if (major === undefined) return undefined;
  const [first, second, third] = [Number(major), Number(minor), Number(patch)];
  return { major: first, minor: second, patch: third, preRelease, build };
}

/** Throws VersionError. */
export function parseVersion(text: string): SemanticVersion {
  const version = tryParseVersion(text);
  if (!version) throw new VersionError(text, "it is no semantic version, such as v1.13.6");
  return version;
}

/** Parses the version of a provider object: semantic, and with the "v". Throws VersionError. */
export function parseProviderVersion(text: string): SemanticVersion {
  if (!text.startsWith("v")) {
    throw new VersionError(text, `it lacks the "v" prefix; write v${text}`);
  }
  return parseVersion(text);
}

/** "v1.2.3-rc.0". */
export function formatVersion(version: SemanticVersion): string {
  const { major, minor, patch, preRelease, build } = version;
  const suffix = `${preRelease && `-${preRelease}`}${build && `+${build}`}`;
  return `v${major}.${minor}.${patch}${suffix}`;
}

/** Negative where `a` comes before `b`. A pre-release comes before its release; build data is nothing. */
export function compareVersions(a: SemanticVersion, b: SemanticVersion): number {
  const numbers = a.major - b.major || a.minor - b.minor || a.patch - b.patch;
  return numbers || comparePreReleases(a.preRelease, b.preRelease);
}

function comparePreReleases(a: string, b: string): number {
  if (a === b) return 0;
  if (a === "" || b === "") return a === "" ? 1 : -1;
  const [left, right] = [a.split("."), b.split(".")];
  for (const [index, identifier] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareIdentifiers(identifier, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareIdentifiers(a: string, b: string): number {
  const [left, right] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (left && right) return Number(a) - Number(b);
  if (left !== right) return left ? -1 : 1;
  return a === b ? 0 : a < b ? -1 : 1;
}
