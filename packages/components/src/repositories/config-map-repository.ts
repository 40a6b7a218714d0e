import { gzipSync } from "node:zlib";
import type { Client } from "@rookery/client";
import {
  builtInResources,
  type KubeObject,
  type LabelSelector,
  labelSelectorAsSelector,
  type ObjectMeta,
  validateLabelValue,
} from "@rookery/kube";
import { FetchError } from "../errors.ts";
import { tryParseVersion } from "../versions/semantic-version.ts";
import { gunzip } from "./downloader.ts";
import {
  createRepository,
  defaultLimits,
  metadataFile,
  type ProviderFiles,
  type Repository,
} from "./repository.ts";

/**
 * The version of a ConfigMap with another name: an annotation, which may have build metadata such as
 * v1.0.0+build, else a label.
 */
const versionKey = "provider.cluster.x-k8s.io/version";
/** Marks a ConfigMap whose components are compressed, as cluster-api-operator does. */
const compressedAnnotation = "provider.cluster.x-k8s.io/compressed";
/** API servers reject objects of more than about 1 MiB; larger components are compressed. */
const plainLimit = 1_000_000;

export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
}

/** The ConfigMaps of a provider's own namespace that its selector selects. */
export interface ConfigMapSource {
  /** Such as "namespace capa-system with the labels provider=aws". */
  readonly place: string;
  list(signal?: AbortSignal): Promise<readonly ConfigMap[]>;
}

/** Releases in ConfigMaps, one per version: for a cluster without any network. */
export function createConfigMapRepository(source: ConfigMapSource): Repository {
  let listing: Promise<readonly ConfigMap[]> | undefined;
  // Both files of a release are in one ConfigMap, and are read at the same time.
  const listOnce = (signal?: AbortSignal) => {
    listing ??= source.list(signal).finally(() => {
      listing = undefined;
    });
    return listing;
  };
  const files = { componentsFile: "components" };
  return createRepository(files, {
    listVersions: async (signal) => (await listOnce(signal)).map(versionOf),
    readFile: async (version, name, signal) => {
      const configMap = findVersion(await listOnce(signal), version, source.place);
      return readKey(configMap, name === metadataFile ? "metadata" : name);
    },
    listFiles: async (version, signal) => {
      const { data } = findVersion(await listOnce(signal), version, source.place);
      return Object.keys(data ?? {});
    },
  });
}

interface ConfigMapRelease extends ProviderFiles {
  readonly version: string;
  readonly metadata: string;
  /** Templates of clusters by the names of their files. */
  readonly templates?: Readonly<Record<string, string>>;
}

/** A ConfigMap that holds a release; components that are too long for it are compressed. */
export function configMapOf(meta: ObjectMeta, release: ConfigMapRelease): ConfigMap {
  const { components, metadata, version, templates = {} } = release;
  const whole = [components, metadata, ...Object.values(templates)].join("");
  const isLong = Buffer.byteLength(whole) > plainLimit;
  const isLabel = validateLabelValue(version).length === 0;
  const annotations = {
    ...meta.annotations,
    ...(isLong && { [compressedAnnotation]: "true" }),
    ...(!isLabel && { [versionKey]: version }),
  };
  const labels = { ...meta.labels, ...(isLabel && { [versionKey]: version }) };
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      ...meta,
      labels,
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    data: { ...(!isLong && { components }), metadata, ...templates },
    ...(isLong && { binaryData: { components: gzipSync(components).toString("base64") } }),
  };
}

function versionOf({ metadata }: ConfigMap): string {
  const { annotations = {}, labels = {}, name = "" } = metadata;
  return annotations[versionKey] ?? labels[versionKey] ?? name;
}

function findVersion(configMaps: readonly ConfigMap[], version: string, place: string): ConfigMap {
  const found = configMaps.filter((configMap) => versionOf(configMap) === version);
  const [first] = found;
  if (first && found.length === 1) return first;
  const target = `version ${version} from ConfigMaps of ${place}`;
  if (first) {
    const names = found.map(({ metadata }) => metadata.name).join(", ");
    throw new FetchError("AmbiguousVersion", target, `${names} all hold it; leave one`);
  }
  const known = configMaps.map(versionOf).filter(tryParseVersion).join(", ") || "none";
  const why = `none of them holds it (there are ${known}); the annotation or label ${versionKey} of a ConfigMap, or else its name, gives the version`;
  throw new FetchError("NotFound", target, why);
}

function readKey({ metadata, data, binaryData }: ConfigMap, key: string): string {
  const target = `${key} of ConfigMap ${metadata.namespace}/${metadata.name}`;
  const text = data?.[key];
  if (text !== undefined) return text;
  const binary = binaryData?.[key];
  if (binary === undefined) {
    throw new FetchError("NotFound", target, `it has no key ${JSON.stringify(key)}`);
  }
  const bytes = Buffer.from(binary, "base64");
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return new TextDecoder().decode(isGzip ? gunzip(bytes, defaultLimits.bytes, target) : bytes);
}

/** Lists the ConfigMaps of one namespace that a selector selects. */
export function listConfigMaps(
  client: Client,
  { namespace, selector }: { readonly namespace: string; readonly selector: LabelSelector },
): ConfigMapSource {
  const labelSelector = labelSelectorAsSelector(selector);
  return {
    place: `namespace ${namespace} with the labels ${labelSelector}`,
    async list(signal) {
      const options = { namespace, labelSelector, signal };
      return (await client.resource<ConfigMap>(builtInResources.configMaps).listAll(options)).items;
    },
  };
}
