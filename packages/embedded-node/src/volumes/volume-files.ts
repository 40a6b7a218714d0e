import type {
  ConfigMap,
  DownwardAPIVolumeFile,
  KeyToPath,
  Secret,
  Volume,
  VolumeProjection,
} from "@rookery/api";
import { VolumeError } from "../errors.ts";
import type { KeyedSources } from "../pod/environment.ts";
import type { BoundPod } from "../pod/pod.ts";
import { type PodPlace, podField, resourceField } from "../pod/pod-field.ts";
import { commonUser } from "../processes/run-as.ts";
import type { TokenOptions } from "./service-account-token.ts";

interface VolumeFile {
  readonly bytes: Buffer;
  readonly mode: number;
  /** Whose it is, where it is not the node's. */
  readonly uid?: number;
}

export type VolumeFiles = ReadonlyMap<string, VolumeFile>;

export interface FileSources extends KeyedSources {
  readonly place: PodPlace;
  token(options: TokenOptions): Promise<string>;
}

const defaultFileMode = 0o644;

/** The files of a volume that is made of files; undefined for one that is not. Rejects with VolumeError. */
export async function volumeFiles(
  pod: BoundPod,
  volume: Volume,
  sources: FileSources,
): Promise<VolumeFiles | undefined> {
  const { configMap, secret, downwardAPI, projected } = volume;
  const of = configMap ?? secret ?? downwardAPI ?? projected;
  if (!of) return undefined;
  const mode = of.defaultMode ?? defaultFileMode;
  const parts: readonly VolumeProjection[] = projected?.sources ?? [
    {
      ...(configMap && { configMap }),
      ...(secret && { secret: { ...secret, name: secret.secretName ?? "" } }),
      ...(downwardAPI && { downwardAPI }),
    },
  ];
  const files = new Map<string, VolumeFile>();
  for (const part of parts) {
    for (const [path, file] of await partFiles(part, { pod, sources, mode })) {
      assertPath(path);
      files.set(path, file);
    }
  }
  return files;
}

/** As a kubelet looks at each path once more that the API server has let pass. */
function assertPath(path: string): void {
  const [first = "", ...others] = path.split("/");
  const quoted = JSON.stringify(path);
  if (path === "") throw new VolumeError(`invalid path: must not be empty: ${quoted}`);
  if (first === "") throw new VolumeError(`invalid path: must be relative path: ${path}`);
  if ([first, ...others].includes("..")) {
    throw new VolumeError(`invalid path: must not contain '..': ${path}`);
  }
  if (first.startsWith("..")) {
    throw new VolumeError(`invalid path: must not start with '..': ${path}`);
  }
}

interface PartContext {
  readonly pod: BoundPod;
  readonly sources: FileSources;
  readonly mode: number;
}

type Files = readonly (readonly [string, VolumeFile])[];

async function partFiles(part: VolumeProjection, context: PartContext): Promise<Files> {
  const { pod, sources, mode } = context;
  const { namespace = "" } = pod.metadata;
  const { configMap, secret, downwardAPI, serviceAccountToken: token } = part;
  if (configMap) {
    const object = sources.configMap(namespace, configMap.name ?? "");
    const missingKey = (key: string) => `configmap references non-existent config key: ${key}`;
    return keyFiles(
      object && configMapData(object),
      { ...configMap, mode, missingKey },
      "configmap",
    );
  }
  if (secret) {
    const object = sources.secret(namespace, secret.name ?? "");
    const missingKey = (key: string) => `references non-existent secret key: ${key}`;
    return keyFiles(object && secretData(object), { ...secret, mode, missingKey }, "secret");
  }
  if (downwardAPI) return (downwardAPI.items ?? []).map((item) => downwardFile(item, context));
  if (!token) throw new VolumeError(`this node does not know ${Object.keys(part).join(", ")}`);
  const { path = "", audience, expirationSeconds = 3600 } = token;
  const bytes = Buffer.from(
    await sources.token({ ...(audience && { audience }), expirationSeconds }),
  );
  const uid = commonUser(pod);
  const isPrivate = uid !== undefined || pod.spec.securityContext?.fsGroup !== undefined;
  // A token is for the pod's user, or its group, where it names one.
  return [[path, { bytes, mode: isPrivate ? 0o600 : mode, ...(uid !== undefined && { uid }) }]];
}

interface Wanted {
  readonly name?: string;
  readonly items?: readonly KeyToPath[];
  readonly optional?: boolean;
  readonly mode: number;
  readonly missingKey: (key: string) => string;
}

function keyFiles(
  data: ReadonlyMap<string, Buffer> | undefined,
  wanted: Wanted,
  kind: string,
): Files {
  const { items, optional, mode, name } = wanted;
  if (!data && !optional) throw new VolumeError(`${kind} "${name}" not found`);
  if (!data) return [];
  if (!items) return [...data].map(([key, bytes]) => [key, { bytes, mode }] as const);
  return items.flatMap(({ key = "", path = "", mode: own }) => {
    const bytes = data.get(key);
    if (!bytes && !optional) throw new VolumeError(wanted.missingKey(key));
    return bytes ? [[path, { bytes, mode: own ?? mode }] as const] : [];
  });
}

function configMapData({ data = {}, binaryData = {} }: ConfigMap): Map<string, Buffer> {
  return new Map([
    ...Object.entries(data).map(([key, text]) => [key, Buffer.from(text)] as const),
    ...Object.entries(binaryData).map(([key, text]) => [key, Buffer.from(text, "base64")] as const),
  ]);
}

function secretData({ data = {} }: Secret): Map<string, Buffer> {
  return new Map(Object.entries(data).map(([key, text]) => [key, Buffer.from(text, "base64")]));
}

function downwardFile(
  { path = "", mode, fieldRef, resourceFieldRef }: DownwardAPIVolumeFile,
  { pod, sources, mode: defaultMode }: PartContext,
): readonly [string, VolumeFile] {
  const { place } = sources;
  const text = fieldRef
    ? podField(pod, fieldRef.fieldPath ?? "", place)
    : resourceField(pod, resourceFieldRef ?? {}, place);
  return [path, { bytes: Buffer.from(text), mode: mode ?? defaultMode }];
}
