import type { Expression, ValueExpression } from "@rookery/schema";
import { CheckError } from "../../errors.ts";
import type { ClaimsSpec } from "./claims.ts";
import { compileClaimRule, compileClaims, compileUserRule, type Named } from "./expressions.ts";

/** The source of a name: a claim, or an expression. */
type NameSource = { readonly claim: string; readonly prefix: string } | Named<ValueExpression>;

/** The compiled rules of an authenticator. */
export interface ClaimRules {
  readonly username: NameSource;
  readonly groups: NameSource;
  readonly required: readonly { readonly claim: string; readonly value: string }[];
  readonly ofClaims: readonly Named<Expression>[];
  readonly ofUsers: readonly Named<Expression>[];
}

/** Compiles the rules of the spec. Errors: CheckError, which names all problems. */
export function compileClaimRules(spec: ClaimsSpec): ClaimRules {
  const problems: string[] = [];
  const rules = {
    username: nameSource(spec, "username", problems),
    groups: nameSource(spec, "groups", problems),
    ...claimValidations(spec, problems),
    ofUsers: userValidations(spec, problems),
  };
  problems.push(...emailProblems(spec));
  if (problems.length === 0) return rules;
  throw new CheckError("InvalidClaims", `could not use the claims: ${problems.join("; ")}`);
}

function nameSource(
  { claims = {} }: ClaimsSpec,
  field: "username" | "groups",
  problems: string[],
): NameSource {
  const claim = claims[field];
  const prefix = claims[`${field}Prefix`] ?? "";
  const text = claims[`${field}Expression`];
  const place = `spec.claims.${field}`;
  if (text === undefined) return { claim: claim || field, prefix };
  if (claim) problems.push(`${place}: claim and expression can't both be set`);
  if (prefix) problems.push(`${place}Prefix: the expression can put it in front itself`);
  const compiled = compileClaims(text);
  if (typeof compiled !== "string") return { text, compiled };
  problems.push(`${place}Expression: ${compiled}`);
  return { claim: field, prefix };
}

function claimValidations({ claimValidationRules = [] }: ClaimsSpec, problems: string[]) {
  const required: { claim: string; value: string }[] = [];
  const ofClaims: Named<Expression>[] = [];
  const seen = new Set<string>();
  for (const [index, rule] of claimValidationRules.entries()) {
    const { claim, requiredValue, expression, message } = rule;
    const place = `spec.claimValidationRules[${index}]`;
    const problem = ruleProblem(rule) ?? duplicateProblem(`${claim}\0${expression}`, seen);
    if (problem) problems.push(`${place}: ${problem}`);
    else if (claim !== undefined) required.push({ claim, value: requiredValue ?? "" });
    else if (expression !== undefined) {
      const compiled = compileClaimRule(expression);
      if (typeof compiled === "string") problems.push(`${place}.expression: ${compiled}`);
      else ofClaims.push({ text: expression, compiled, message });
    }
  }
  return { required, ofClaims };
}

type ClaimRule = NonNullable<ClaimsSpec["claimValidationRules"]>[number];

function ruleProblem({ claim, requiredValue, expression, message }: ClaimRule) {
  if (claim !== undefined && expression !== undefined) {
    return "claim and expression can't both be set";
  }
  if (claim === undefined && expression === undefined) return "claim or expression is required";
  if (claim !== undefined && message) return "message may not be specified when claim is set";
  if (expression !== undefined && requiredValue) {
    return "requiredValue may not be specified when expression is set";
  }
  return undefined;
}

function duplicateProblem(key: string, seen: Set<string>): string | undefined {
  if (seen.has(key)) return "another rule is about the same";
  seen.add(key);
  return undefined;
}

function userValidations({ userValidationRules = [] }: ClaimsSpec, problems: string[]) {
  const seen = new Set<string>();
  return userValidationRules.flatMap(({ expression: text, message }, index) => {
    const compiled = compileUserRule(text);
    const place = `spec.userValidationRules[${index}].expression`;
    const problem = typeof compiled === "string" ? compiled : duplicateProblem(text, seen);
    if (problem) problems.push(`${place}: ${problem}`);
    return typeof compiled === "string" ? [] : [{ text, compiled, message }];
  });
}

const email = /\bclaims\s*\.\s*\??\s*email\b/;
const emailVerified = /\bclaims\s*\.\s*\??\s*email_verified\b/;

/** A rule of kube-apiserver: an address that is not verified may be that of another user. */
function emailProblems({ claims = {}, claimValidationRules = [] }: ClaimsSpec): string[] {
  const { usernameExpression = "" } = claims;
  const rules = claimValidationRules.map(({ expression = "" }) => expression);
  if (!email.test(usernameExpression)) return [];
  if ([usernameExpression, ...rules].some((text) => emailVerified.test(text))) return [];
  return [
    "claims.email_verified must be used in spec.claims.usernameExpression or " +
      "spec.claimValidationRules[*].expression when claims.email is used in spec.claims.usernameExpression",
  ];
}
