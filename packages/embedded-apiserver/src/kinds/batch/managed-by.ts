import { FieldError, type FieldPath, validateDns1123Subdomain } from "@rookery/kube";
import { invalidEach } from "../meta/field-rules.ts";
import { regexProblem } from "../meta/formats.ts";

const maxBytes = 63;
const pathFormat = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";

/** Who looks after a job: a path with a domain before it, such as "example.com/controller". */
export function validateManagedBy(value: string, path: FieldPath): FieldError[] {
  const isLong = Buffer.byteLength(value) > maxBytes;
  return [
    ...validatePrefixedPath(value, path),
    ...(isLong ? [FieldError.tooLong(path, maxBytes)] : []),
  ];
}

/** Go: IsDomainPrefixedPath. */
function validatePrefixedPath(value: string, path: FieldPath): FieldError[] {
  if (value === "") return [FieldError.required(path, "")];
  const slash = value.indexOf("/");
  const [host, rest] = [value.slice(0, slash), value.slice(slash + 1)];
  if (slash < 1 || rest === "") {
    const detail = 'must be a domain-prefixed path (such as "acme.io/foo")';
    return [FieldError.invalid(path, value, detail)];
  }
  const isPath = new RegExp(`^${pathFormat}$`).test(rest);
  return [
    ...invalidEach(host, validateDns1123Subdomain(host), path),
    ...invalidEach(rest, isPath ? [] : [regexProblem("Invalid path", pathFormat, [])], path),
  ];
}
