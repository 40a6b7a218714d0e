/** A semantic version without build metadata. */
interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** The part after a hyphen, such as "rc.1"; empty for a release. */
  readonly prerelease: string;
}

const pattern = /^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

/** Undefined for an invalid version. A leading v is optional. */
export function parseVersion(text: string): Version | undefined {
  const [, major, minor, patch, prerelease = ""] = pattern.exec(text) ?? [];
  if (major === undefined) return undefined;
  return { major: Number(major), minor: Number(minor), patch: Number(patch), prerelease };
}

/** The number of minors between versions; negative for a downgrade. A major counts as many. */
function minorsBetween(from: Version, to: Version): number {
  return (to.major - from.major) * 1000 + to.minor - from.minor;
}

/** Whether two versions are the same, with or without a leading v. */
export function isSameVersion(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a.replace(/^v/, "") === b.replace(/^v/, "");
}

/** Why a version may not follow another: no minor is skipped, and older ones cannot read the data. */
export function changeProblem(from: string, to: string): string | undefined {
  const [before, after] = [read(from), read(to)];
  const minors = minorsBetween(before, after);
  if (minors > 1) {
    const next = `${before.major}.${before.minor + 1}`;
    return `${to} skips a minor version after ${from}; go to ${next} first`;
  }
  if (minors < 0) return `${to} is an older minor version than ${from}, which has run already`;
  return undefined;
}

/** Why a controller manager may not run with an API server of another version. */
export function controllerManagerProblem(
  controllerManager: string,
  apiServer: string,
): string | undefined {
  const behind = minorsBetween(read(controllerManager), read(apiServer));
  if (behind < 0) {
    return `the controller manager ${controllerManager} would be newer than the API server ${apiServer}`;
  }
  if (behind > 1) {
    return `the controller manager ${controllerManager} would be ${behind} minor versions older than the API server ${apiServer}; one is allowed`;
  }
  return undefined;
}

/** Whether a roll-back is possible: etcd's data format is the same within a minor. */
export function isSameMinor(a: string, b: string): boolean {
  return minorsBetween(read(a), read(b)) === 0;
}

/** Webhooks reject invalid versions. */
function read(text: string): Version {
  return parseVersion(text) ?? { major: 0, minor: 0, patch: 0, prerelease: "" };
}
