import { FieldError, fieldPath, invalidError, parseQuery } from "@rookery/kube";
import { RecentValues } from "../recent-values.ts";

export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** CreateOptions, UpdateOptions, and the common part of PatchOptions. */
export interface WriteOptions {
  /** "All" or nothing. */
  readonly dryRun: readonly string[];
  /** "" if not given. */
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
}

const fieldManagerMaxBytes = 128;
const fieldValidations = ["", "Ignore", "Strict", "Warn"];

/** Parses write options. Throws Invalid with every problem. */
export function parseWriteOptions(query: string, kind: string): WriteOptions {
  return known.get(query, () => {
    const options = writeOptionsOf(parseQuery(query));
    refuseInvalid(kind, writeProblems(options));
    return withDefaults(options);
  });
}

/** Recent queries: a client sends the same one with each write. */
const known = new RecentValues<WriteOptions>(64);

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
    if (!isPrintable(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
      const detail = `invalid character U+${code} (at position ${position})`;
      problems.push(FieldError.invalid(path, fieldManager, detail));
    }
    position += Buffer.byteLength(character);
  }
  return problems;
}

/** As Go's unicode.IsPrint. */
function isPrintable(character: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character);
}

/** The default manager: the user agent up to the first slash. */
export function managerOfUserAgent(userAgent: string): string {
  const [product = ""] = userAgent.split("/");
  let manager = "";
  // Node decodes headers as Latin-1.
  for (const character of Buffer.from(product, "latin1").toString("utf8")) {
    if (!isPrintable(character)) continue;
    if (Buffer.byteLength(manager + character) > fieldManagerMaxBytes) break;
    manager += character;
  }
  return manager;
}

function fieldValidationProblems(fieldValidation: string): FieldError[] {
  if (fieldValidations.includes(fieldValidation)) return [];
  const path = fieldPath("fieldValidation");
  return [FieldError.notSupported(path, fieldValidation, fieldValidations)];
}

export function refuseInvalid(kind: string, problems: readonly FieldError[]): void {
  if (problems.length > 0) throw invalidError({ group: "meta.k8s.io", kind }, "", problems);
}
