import {
  FieldError,
  fieldPath,
  isRecord,
  optionalBoolean,
  optionalInteger,
  parseQuery,
} from "@rookery/kube";
import { DecodeError } from "../codec/decode-error.ts";
import { jsonTypeOf } from "../codec/json-error.ts";
import { objectIn, typeMetaOf } from "./body-kind.ts";
import { unregisteredKind } from "./decode-errors.ts";
import { dryRunProblems, refuseInvalid } from "./write-options.ts";

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: "Foreground" | "Background" | "Orphan";
  readonly orphanDependents?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun: readonly string[];
}

const kind = "DeleteOptions";
const policies = ["Foreground", "Background", "Orphan", "nil"];

/** Parses the query, or the body if there is one. Throws Invalid, or a DecodeError. */
export function parseDeleteOptions(query: string, body: unknown): DeleteOptions {
  const options = body === undefined ? fromQuery(parseQuery(query)) : fromBody(body);
  refuseInvalid(kind, problemsOf(options));
  return options as DeleteOptions;
}

type RawOptions = Omit<DeleteOptions, "propagationPolicy"> & {
  readonly propagationPolicy?: string;
};

function fromQuery(parameters: URLSearchParams): RawOptions {
  const gracePeriodSeconds = optionalInteger(parameters, "gracePeriodSeconds");
  const orphanDependents = optionalBoolean(parameters, "orphanDependents");
  const propagationPolicy = parameters.get("propagationPolicy");
  const uid = parameters.get("uid") ?? "";
  const resourceVersion = parameters.get("resourceVersion") ?? "";
  const preconditions = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
  return {
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(orphanDependents !== undefined && { orphanDependents }),
    ...(propagationPolicy !== null && { propagationPolicy }),
    ...((uid || resourceVersion) && { preconditions }),
    dryRun: parameters.getAll("dryRun"),
  };
}

interface FieldType {
  readonly goType: string;
  readonly fits: (value: unknown) => boolean;
}

const fieldTypes: Readonly<Record<string, FieldType>> = {
  gracePeriodSeconds: { goType: "int64", fits: Number.isInteger },
  orphanDependents: { goType: "bool", fits: (value) => typeof value === "boolean" },
  propagationPolicy: { goType: "v1.DeletionPropagation", fits: isText },
  preconditions: { goType: "v1.Preconditions", fits: isRecord },
  "preconditions.uid": { goType: "types.UID", fits: isText },
  "preconditions.resourceVersion": { goType: "string", fits: isText },
  dryRun: { goType: "[]string", fits: Array.isArray },
};

/** Like Go: unknown fields are ignored, others must have the right type. */
function fromBody(body: unknown): RawOptions {
  const given = objectIn(body);
  const { kind: declared, apiVersion } = typeMetaOf(given);
  if (declared !== "" && declared !== kind) {
    throw new DecodeError(unregisteredKind(declared, apiVersion || "v1"));
  }
  const { preconditions, dryRun = [], ...options } = fieldsOf(given, "");
  return {
    ...options,
    dryRun: dryRun as readonly string[],
    ...(isRecord(preconditions) && { preconditions: fieldsOf(preconditions, "preconditions.") }),
  };
}

function fieldsOf(given: Record<string, unknown>, prefix: string): Record<string, unknown> {
  const names = Object.keys(fieldTypes)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter((name) => !name.includes(".") && (given[name] ?? null) !== null);
  for (const name of names) {
    const type = fieldTypes[prefix + name];
    if (type && !type.fits(given[name])) refuse(given[name], type.goType, prefix + name);
  }
  return Object.fromEntries(names.map((name) => [name, given[name]]));
}

function refuse(value: unknown, goType: string, field: string): never {
  const found = jsonTypeOf(value);
  const owner = field.includes(".") ? "Preconditions" : "DeleteOptions";
  const where = `Go struct field ${owner}.${field}`;
  throw new DecodeError(`json: cannot unmarshal ${found} into ${where} of type ${goType}`);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function problemsOf({ propagationPolicy, orphanDependents, dryRun }: RawOptions): FieldError[] {
  const path = fieldPath("propagationPolicy");
  const problems: FieldError[] = [];
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    const detail = "orphanDependents and deletionPropagation cannot be both set";
    problems.push(FieldError.invalid(path, propagationPolicy, detail));
  }
  if (propagationPolicy !== undefined && !policies.slice(0, 3).includes(propagationPolicy)) {
    problems.push(FieldError.notSupported(path, propagationPolicy, policies));
  }
  return [...problems, ...dryRunProblems(dryRun)];
}
