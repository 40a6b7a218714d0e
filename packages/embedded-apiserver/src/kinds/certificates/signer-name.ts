import {
  FieldError,
  type FieldPath,
  quote,
  validateDns1123Label,
  validateDns1123Subdomain,
} from "@rookery/kube";

const maxDomain = 253;
const maxName = maxDomain + 253 + 63 + 2;

/** Problems of a name such as "example.com/signer". */
export function validateSignerName(name: string, path: FieldPath): FieldError[] {
  if (name === "") return [FieldError.required(path, "")];
  const [domain = "", signer = "", ...rest] = name.split("/");
  if (rest.length > 0 || !name.includes("/")) {
    const detail =
      "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return [FieldError.invalid(path, name, detail)];
  }
  const labels = domain.split(".");
  const few = "should be a domain with at least two segments separated by dots";
  return [
    ...(domain.length > maxDomain ? [FieldError.tooLong(path, maxDomain)] : []),
    ...firstProblems(labels, validateDns1123Label, (why) => FieldError.invalid(path, domain, why)),
    ...(labels.length < 2 ? [FieldError.invalid(path, domain, few)] : []),
    ...firstProblems(signer.split("."), validateDns1123Subdomain, (why) =>
      FieldError.invalid(path, signer, why),
    ),
    ...(name.length > maxName ? [FieldError.tooLong(path, maxName)] : []),
  ];
}

/** Of the first label that has any. */
function firstProblems(
  labels: readonly string[],
  validate: (label: string) => readonly string[],
  problem: (why: string) => FieldError,
): FieldError[] {
  const bad = labels.find((label) => validate(label).length > 0);
  if (bad === undefined) return [];
  return validate(bad).map((why) => problem(`validating label ${quote(bad)}: ${why}`));
}
