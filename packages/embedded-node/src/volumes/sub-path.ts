import { realpathSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { VolumeMount } from "@rookery/api";
import { ContainerConfigError } from "../errors.ts";
import { expand } from "../pod/expand.ts";
import { makeBeneath } from "./beneath.ts";

export interface SubPathOptions {
  /** Where the volume is. */
  readonly volume: string;
  readonly container: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** A part of a volume, and the real path of the volume that it is in. */
export interface VolumePart {
  readonly source: string;
  readonly within: string;
}

/**
 * The part of a volume that a container mounts, made where it is missing; undefined where the whole
 * volume is meant. Links in it may change until it is mounted, so the mount checks it again.
 * Errors: ContainerConfigError in a kubelet's words, which say nothing of the machine's files.
 */
export function subPathOf(mount: VolumeMount, options: SubPathOptions): VolumePart | undefined {
  const { subPath: plain = "", subPathExpr = "" } = mount;
  const subPath = subPathExpr === "" ? plain : expanded(subPathExpr, options.variables);
  if (subPath === "") return undefined;
  if (isAbsolute(subPath)) {
    throw new ContainerConfigError(`error SubPath \`${subPath}\` must not be an absolute path`);
  }
  if (subPath.split("/").includes("..")) {
    const message = `unable to provision SubPath \`${subPath}\`: must not contain '..'`;
    throw new ContainerConfigError(message);
  }
  const { volume, container } = options;
  try {
    const mode = statSync(volume).mode & 0o7777;
    makeBeneath(volume, subPath, { make: "folder", mode });
    const within = realpathSync(volume);
    return { source: join(within, subPath), within };
  } catch (cause) {
    const which = `volumeMount ${JSON.stringify(mount.name)} of container ${JSON.stringify(container)}`;
    throw new ContainerConfigError(`failed to prepare subPath for ${which}`, { cause });
  }
}

function expanded(text: string, variables: Readonly<Record<string, string>>): string {
  const names = [...text.matchAll(/\$(?:\$|\(([^()]*)\))/g)].flatMap(([, name]) => name ?? []);
  const missing = names.filter((name) => !Object.hasOwn(variables, name) || !variables[name]);
  if (missing.length === 0) return expand(text, variables);
  const list = [...new Set(missing)].toSorted().join(", ");
  throw new ContainerConfigError(`missing value for ${list}`);
}
