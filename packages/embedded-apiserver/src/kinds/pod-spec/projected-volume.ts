import type {
  DownwardAPIVolumeFile,
  KeyToPath,
  ProjectedVolumeSource,
  ServiceAccountTokenProjection,
  VolumeProjection,
} from "@rookery/api";
import { required } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { type Rule, type Rules, ruleOf } from "../meta/rules.ts";
import { downwardFile } from "./downward-api.ts";
import { fileMode, nonReservedPath } from "./paths.ts";

const tenMinutes = 600;

/** Go: validateKeyToPath. */
export const keyToPath: Rules<KeyToPath> = {
  key: required(),
  path: [required(), nonReservedPath],
  mode: fileMode,
};

const keyRule = ruleOf<KeyToPath>(keyToPath);
const fileRule = ruleOf<DownwardAPIVolumeFile>(downwardFile);

/** The target volume, and the paths of earlier sources. */
interface Projection {
  readonly volume: Field;
  readonly taken: Set<string>;
}

/** Go: validateProjectedVolumeSource. */
export const projectedVolume: Rules<ProjectedVolumeSource> = {
  defaultMode: fileMode,
  sources: (sources, field) => {
    const projection = { volume: field.parent, taken: new Set<string>() };
    sources?.forEach((source, i) => {
      projectSource(source, field.index(i), projection);
    });
  },
};

function projectSource(source: VolumeProjection, field: Field, projection: Projection): void {
  const { secret, configMap, downwardAPI, serviceAccountToken: token } = source;
  if (secret) projectKeys(secret, field.child("secret"), projection);
  if (configMap) projectKeys(configMap, field.child("configMap"), projection);
  projectFiles(downwardAPI?.items ?? [], field.child("downwardAPI"), projection);
  if (token) projectToken(token, field.child("serviceAccountToken"), projection);
  const kinds = Object.values(source).filter((each) => each != null);
  if (kinds.length > 1) field.forbidden("may not specify more than 1 volume type per source");
}

interface Keyed {
  readonly name?: string;
  readonly items?: readonly KeyToPath[];
}

function projectKeys({ name = "", items = [] }: Keyed, field: Field, projection: Projection): void {
  if (name === "") field.child("name").required();
  items.forEach((item, i) => {
    keyRule(item, field.child("items").index(i));
    takePath(item.path ?? "", name, projection);
  });
}

function projectFiles(
  files: readonly DownwardAPIVolumeFile[],
  field: Field,
  projection: Projection,
): void {
  for (const file of files) {
    fileRule(file, field);
    takePath(file.path ?? "", file.path ?? "", projection);
  }
}

function projectToken(
  { expirationSeconds: seconds = 0, path = "" }: ServiceAccountTokenProjection,
  field: Field,
  { volume }: Projection,
): void {
  const at = field.child("expirationSeconds");
  if (seconds < tenMinutes) {
    at.invalid(seconds, "may not specify a duration less than 10 minutes");
  }
  if (seconds > 2 ** 32) {
    at.invalid(seconds, "may not specify a duration larger than 2^32 seconds");
  }
  tokenPath(path, volume.child("path"));
}

const tokenPath: Rule<string | undefined> = required(nonReservedPath);

function takePath(path: string, shown: string, { volume, taken }: Projection): void {
  if (path === "") return;
  if (taken.has(path)) volume.invalid(shown, "conflicting duplicate paths");
  taken.add(path);
}
