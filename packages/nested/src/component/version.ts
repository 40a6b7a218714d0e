/** A semantic version, as far as an order is concerned. */
export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** What follows a hyphen, such as "rc.1"; empty for a release. */
  readonly prerelease: string;
}

const pattern = /^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

/** Undefined for what is no version; a leading v is fine. */
export function parseVersion(text: string): Version | undefined {
  const [, major, minor, patch, prerelease = ""] = pattern.exec(text) ?? [];
  if (major === undefined) return undefined;
  return { major: Number(major), minor: Number(minor), patch: Number(patch), prerelease };
}

/** How many minors `to` is ahead of `from`; negative where it is behind. A major counts as many. */
export function minorsBetween(from: Version, to: Version): number {
  return (to.major - from.major) * 1000 + to.minor - from.minor;
}

/** Whether two texts mean the same version, with or without a leading v. */
export function isSameVersion(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a.replace(/^v/, "") === b.replace(/^v/, "");
}
