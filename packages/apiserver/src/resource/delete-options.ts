import { badRequestError, FieldError, fieldPath } from "@rookery/kube";
import { optionalBoolean, optionalInteger } from "../request/query.ts";
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

/** From the query; a body, where there is one, takes its place. Throws Invalid or a bad request. */
export function parseDeleteOptions(query: string, body: unknown): DeleteOptions {
  const options = body === undefined ? fromQuery(new URLSearchParams(query)) : fromBody(body);
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

const fieldTypes: Readonly<Record<string, (value: unknown) => boolean>> = {
  kind: (value) => value === kind,
  apiVersion: (value) => typeof value === "string",
  gracePeriodSeconds: Number.isInteger,
  orphanDependents: (value) => typeof value === "boolean",
  propagationPolicy: (value) => typeof value === "string",
  preconditions: isObject,
  dryRun: Array.isArray,
};

function fromBody(body: unknown): RawOptions {
  if (!isObject(body)) throw badRequestError("could not read DeleteOptions: the body is no object");
  for (const [name, value] of Object.entries(body)) {
    const fits = Object.hasOwn(fieldTypes, name) ? fieldTypes[name] : undefined;
    if (!fits) throw badRequestError(`could not read DeleteOptions: unknown field "${name}"`);
    if (value !== null && !fits(value)) {
      throw badRequestError(`could not read DeleteOptions: ${name} has the wrong type or value`);
    }
  }
  const { kind: _, apiVersion: __, ...options } = body;
  const given = Object.entries(options).filter(([, value]) => value !== null);
  return { dryRun: [], ...Object.fromEntries(given) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
