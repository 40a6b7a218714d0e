import {
  badRequestError,
  FieldError,
  type FieldRequirement,
  fieldPath,
  invalidError,
  type LabelRequirement,
  ParseError,
  parseFieldSelector,
  parseLabelSelector,
  type Selector,
} from "@rookery/kube";
import { booleanOption, optionalBoolean, optionalInteger } from "../request/query.ts";

export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** CreateOptions, UpdateOptions and what PatchOptions share with them. */
export interface WriteOptions {
  /** "All" or nothing. */
  readonly dryRun: readonly string[];
  /** "" where the client does not say. */
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
}

export interface ListOptions {
  readonly labelSelector: Selector<LabelRequirement>;
  readonly fieldSelector: Selector<FieldRequirement>;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: "" | "Exact" | "NotOlderThan";
  /** 0 for all. */
  readonly limit: number;
  readonly continue: string;
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents?: boolean;
  readonly timeoutSeconds?: number;
}

const fieldManagerMaxBytes = 128;
const fieldValidations = ["", "Ignore", "Strict", "Warn"];

/** Reads the options of a create, update or patch. Throws Invalid with every problem. */
export function parseWriteOptions(query: string, kind: string): WriteOptions {
  const parameters = new URLSearchParams(query);
  const options = writeOptionsOf(parameters);
  refuseInvalid(kind, writeProblems(options));
  return withDefaults(options);
}

/** What is wrong with options that several kinds share. */
export function writeProblems(options: RawWriteOptions): FieldError[] {
  return [
    ...fieldManagerProblems(options.fieldManager),
    ...dryRunProblems(options.dryRun),
    ...fieldValidationProblems(options.fieldValidation),
  ];
}

export interface RawWriteOptions {
  readonly dryRun: readonly string[];
  readonly fieldManager: string;
  readonly fieldValidation: string;
}

export function writeOptionsOf(parameters: URLSearchParams): RawWriteOptions {
  return {
    dryRun: parameters.getAll("dryRun"),
    fieldManager: parameters.get("fieldManager") ?? "",
    fieldValidation: parameters.get("fieldValidation") ?? "",
  };
}

export function withDefaults(options: RawWriteOptions): WriteOptions {
  const fieldValidation = (options.fieldValidation || "Warn") as FieldValidation;
  return { ...options, fieldValidation };
}

export function dryRunProblems(dryRun: readonly string[]): FieldError[] {
  if (dryRun.every((value) => value === "All")) return [];
  return [FieldError.notSupported(fieldPath("dryRun"), dryRun, ["All"])];
}

function fieldManagerProblems(fieldManager: string): FieldError[] {
  const path = fieldPath("fieldManager");
  const problems: FieldError[] = [];
  if (Buffer.byteLength(fieldManager) > fieldManagerMaxBytes) {
    problems.push(FieldError.tooLong(path, fieldManagerMaxBytes));
  }
  let position = 0;
  for (const character of fieldManager) {
    if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
      const detail = `invalid character U+${code} (at position ${position})`;
      problems.push(FieldError.invalid(path, fieldManager, detail));
    }
    position += Buffer.byteLength(character);
  }
  return problems;
}

function fieldValidationProblems(fieldValidation: string): FieldError[] {
  if (fieldValidations.includes(fieldValidation)) return [];
  const path = fieldPath("fieldValidation");
  return [FieldError.notSupported(path, fieldValidation, fieldValidations)];
}

/** Throws Invalid where there is a problem. */
export function refuseInvalid(kind: string, problems: readonly FieldError[]): void {
  if (problems.length > 0) throw invalidError({ group: "meta.k8s.io", kind }, "", problems);
}

/** Reads the options of a list or a watch. Throws a bad request, or Invalid. */
export function parseListOptions(query: string): ListOptions {
  const parameters = new URLSearchParams(query);
  const options = listOptionsOf(parameters);
  refuseInvalid("ListOptions", options.watch ? watchProblems(options) : listProblems(options));
  return options;
}

function listOptionsOf(parameters: URLSearchParams): ListOptions {
  const sendInitialEvents = optionalBoolean(parameters, "sendInitialEvents");
  const timeoutSeconds = optionalInteger(parameters, "timeoutSeconds");
  const match = parameters.get("resourceVersionMatch") ?? "";
  return {
    labelSelector: selectorOf(parameters.get("labelSelector"), parseLabelSelector),
    fieldSelector: selectorOf(parameters.get("fieldSelector"), parseFieldSelector),
    resourceVersion: parameters.get("resourceVersion") ?? "",
    resourceVersionMatch: match as ListOptions["resourceVersionMatch"],
    limit: optionalInteger(parameters, "limit") ?? 0,
    continue: parameters.get("continue") ?? "",
    watch: booleanOption(parameters, "watch"),
    allowWatchBookmarks: booleanOption(parameters, "allowWatchBookmarks"),
    ...(sendInitialEvents !== undefined && { sendInitialEvents }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
  };
}

function selectorOf<T>(text: string | null, parse: (text: string) => T): T {
  try {
    return parse(text ?? "");
  } catch (error) {
    if (error instanceof ParseError) throw badRequestError(error.reason);
    throw error;
  }
}

const matchPath = fieldPath("resourceVersionMatch");
const initialEventsPath = fieldPath("sendInitialEvents");

function listProblems(options: ListOptions): FieldError[] {
  const { resourceVersion, resourceVersionMatch: match } = options;
  const problems: FieldError[] = [];
  const forbid = (detail: string) => problems.push(FieldError.forbidden(matchPath, detail));
  if (match !== "") {
    if (resourceVersion === "") {
      forbid("resourceVersionMatch is forbidden unless resourceVersion is provided");
    }
    if (options.continue !== "")
      forbid("resourceVersionMatch is forbidden when continue is provided");
    if (match !== "Exact" && match !== "NotOlderThan") {
      problems.push(FieldError.notSupported(matchPath, match, ["Exact", "NotOlderThan", ""]));
    }
    if (match === "Exact" && resourceVersion === "0") {
      forbid('resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
    }
  }
  if (options.sendInitialEvents !== undefined) {
    const detail = "sendInitialEvents is forbidden for list";
    problems.push(FieldError.forbidden(initialEventsPath, detail));
  }
  return problems;
}

function watchProblems(options: ListOptions): FieldError[] {
  const { sendInitialEvents, resourceVersionMatch: match } = options;
  const problems: FieldError[] = [];
  const forbid = (detail: string) => problems.push(FieldError.forbidden(matchPath, detail));
  if (sendInitialEvents !== undefined && match !== "NotOlderThan") {
    forbid("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
  }
  if (match === "") return problems;
  if (sendInitialEvents === undefined) {
    forbid("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
  }
  if (match !== "NotOlderThan") {
    problems.push(FieldError.notSupported(matchPath, match, ["NotOlderThan"]));
  }
  if (options.continue !== "")
    forbid("resourceVersionMatch is forbidden when continue is provided");
  return problems;
}
