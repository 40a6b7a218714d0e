import { messageOf } from "@rookery/errors";
import { isRecord } from "@rookery/kube";
import { parseDocuments } from "../documents/documents.ts";
import { MetadataError } from "../errors.ts";
import { parseVersion } from "../versions/semantic-version.ts";

const apiVersion = "clusterctl.cluster.x-k8s.io/v1alpha3";

/** The contract of a series of releases. */
interface ReleaseSeries {
  readonly major: number;
  readonly minor: number;
  readonly contract: string;
}

/** A provider's metadata.yaml. */
export interface Metadata {
  readonly releaseSeries: readonly ReleaseSeries[];
}

/** Reads metadata.yaml. Throws MetadataError. */
export function parseMetadata(text: string): Metadata {
  const value = readSingle(text);
  if (value.apiVersion !== apiVersion) {
    throw invalid(`its apiVersion is ${JSON.stringify(value.apiVersion)}, not ${apiVersion}`);
  }
  // clusterctl also accepts metadata without a kind.
  if (value.kind !== undefined && value.kind !== "" && value.kind !== "Metadata") {
    throw invalid(`its kind is ${JSON.stringify(value.kind)}, not Metadata`);
  }
  const { releaseSeries = [] } = value;
  if (!Array.isArray(releaseSeries)) throw invalid("releaseSeries is no list");
  if (releaseSeries.length === 0) throw invalid("releaseSeries is empty");
  return { releaseSeries: releaseSeries.map(asReleaseSeries) };
}

/** The contract of a version. Throws MetadataError where no release series has it. */
export function contractOf(metadata: Metadata, version: string): string {
  const { major, minor } = parseVersion(version);
  const series = metadata.releaseSeries.find((one) => one.major === major && one.minor === minor);
  if (series) return series.contract;
  const known = metadata.releaseSeries.map((one) => `${one.major}.${one.minor}`).join(", ");
  throw new MetadataError(
    "VersionNotInMetadata",
    `no release series has ${version} (there are ${known}); choose a version of these, or a release whose metadata.yaml names it`,
  );
}

/** The newest release series of a contract. */
export function newestSeriesOf(metadata: Metadata, contract: string): ReleaseSeries | undefined {
  return metadata.releaseSeries
    .filter((series) => series.contract === contract)
    .sort((a, b) => b.major - a.major || b.minor - a.minor)[0];
}

function readSingle(text: string): Record<string, unknown> {
  const documents = readDocuments(text);
  const [first] = documents;
  if (!first) throw invalid("it is empty");
  if (documents.length > 1) throw invalid("it holds more than one document");
  const { value } = first;
  if (!isRecord(value)) throw invalid("it is no object");
  return value;
}

function readDocuments(text: string) {
  try {
    return parseDocuments(text);
  } catch (cause) {
    const reason = messageOf(cause);
    throw new MetadataError("InvalidMetadata", reason, { cause });
  }
}

function asReleaseSeries(value: unknown, index: number): ReleaseSeries {
  const { major = 0, minor = 0, contract } = Object(value) as Partial<ReleaseSeries>;
  const field = `releaseSeries[${index}]`;
  if (!isNumber(major) || !isNumber(minor)) throw invalid(`${field} has no numbers`);
  if (typeof contract !== "string" || contract === "") throw invalid(`${field} has no contract`);
  return { major, minor, contract };
}

function isNumber(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0;
}

function invalid(reason: string): MetadataError {
  return new MetadataError("InvalidMetadata", reason);
}
