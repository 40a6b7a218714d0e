import { quote, validateDns1123Label, validateDns1123Subdomain } from "@rookery/kube";
import { required } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";

const maxDomain = 253;
const maxName = maxDomain + 253 + 63 + 2;

/** Go: ValidateSignerName. A name such as "example.com/signer". */
export const signerName = required<string>((name, field) => {
  const [domain = "", signer = "", ...rest] = name.split("/");
  if (rest.length > 0 || !name.includes("/")) {
    const form = "a fully qualified domain and path of the form 'example.com/signer-name'";
    field.invalid(name, `must be ${form}`);
    return;
  }
  const labels = domain.split(".");
  const few = "should be a domain with at least two segments separated by dots";
  if (domain.length > maxDomain) field.tooLong(maxDomain);
  firstBad(labels, validateDns1123Label, { field, shown: domain });
  if (labels.length < 2) field.invalid(domain, few);
  firstBad(signer.split("."), validateDns1123Subdomain, { field, shown: signer });
  if (name.length > maxName) field.tooLong(maxName);
});

/** Reports the first label that is invalid. */
function firstBad(
  labels: readonly string[],
  validate: (label: string) => readonly string[],
  { field, shown }: { readonly field: Field; readonly shown: string },
): void {
  const bad = labels.find((label) => validate(label).length > 0);
  if (bad === undefined) return;
  for (const why of validate(bad)) field.invalid(shown, `validating label ${quote(bad)}: ${why}`);
}
