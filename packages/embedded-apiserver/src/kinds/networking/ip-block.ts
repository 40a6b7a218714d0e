import type { IPBlock } from "@rookery/api";
import type { FieldPath } from "@rookery/kube";
import { parseLegacyCidr, prefixContains } from "@rookery/schema";
import { cidrWarnings } from "../meta/cidr-warnings.ts";
import { required } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { legacyCidr } from "../meta/ip.ts";

/** Go: ValidateIPBlock. A network, and parts of it that are left out. */
export function ipBlock({ cidr = "", except = [] }: IPBlock, field: Field): void {
  const block = parseLegacyCidr(cidr);
  network(cidr, field.child("cidr"));
  if (block === undefined) return;
  except.forEach((text, i) => {
    const at = field.child("except").index(i);
    const part = parseLegacyCidr(text);
    const isWithin = part && prefixContains(block, part.address) && block.bits < part.bits;
    legacyCidr(text, at);
    if (part && !isWithin) at.invalid(text, "must be a strict subset of `cidr`");
  });
}

const network = required(legacyCidr);

export function ipBlockWarnings({ cidr = "", except = [] }: IPBlock, path: FieldPath): string[] {
  return [
    ...cidrWarnings(cidr, path.child("cidr")),
    ...except.flatMap((part, i) => cidrWarnings(part, path.child("except").index(i))),
  ];
}
