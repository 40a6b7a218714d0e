import { validateDns1123Subdomain } from "@rookery/kube";
import { maxBytes } from "../meta/checks.ts";
import { required } from "../meta/combinators.ts";
import { regexProblem } from "../meta/formats.ts";
import type { Rule, Rules } from "../meta/rules.ts";

const pathFormat = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const pathPattern = new RegExp(`^${pathFormat}$`);

/** Go: IsDomainPrefixedPath. Errors show the part that is wrong. */
const prefixedPath: Rule<string> = (value, field) => {
  const slash = value.indexOf("/");
  const [host, rest] = [value.slice(0, slash), value.slice(slash + 1)];
  if (slash < 1 || rest === "") {
    return field.invalid(value, 'must be a domain-prefixed path (such as "acme.io/foo")');
  }
  field.invalidEach(host, validateDns1123Subdomain(host));
  if (!pathPattern.test(rest)) field.invalid(rest, regexProblem("Invalid path", pathFormat, []));
};

/** The controller of a job: a path with a domain before it, such as "example.com/controller". */
export const managedBy: Rules<string> = [required(prefixedPath), maxBytes(63)];
