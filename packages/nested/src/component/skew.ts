import { minorsBetween, parseVersion, type Version } from "./version.ts";

/**
 * Why a component may not go from one version to another; undefined where it may. No minor may be
 * skipped, and no older one follows: it may not understand the data of a newer one.
 */
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

/** Why a controller manager of a version may not run with an API server of another. */
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

/** Whether a version can be gone back to from another: etcd's data stays the same within a minor. */
export function isSameMinor(a: string, b: string): boolean {
  return minorsBetween(read(a), read(b)) === 0;
}

/** The webhooks reject a text that is no version. */
function read(text: string): Version {
  return parseVersion(text) ?? { major: 0, minor: 0, patch: 0, prerelease: "" };
}
