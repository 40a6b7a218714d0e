import type { IPBlock } from "@rookery/api";
import { FieldError, type FieldPath } from "@rookery/kube";
import { type IpPrefix, parseLegacyCidr, prefixContains } from "@rookery/schema";
import { cidrWarnings } from "../meta/cidr-warnings.ts";
import { validateCidr } from "../meta/ip.ts";

/** A network, and parts of it that are left out. */
export function validateIpBlock(
  { cidr = "", except = [] }: IPBlock,
  path: FieldPath,
): FieldError[] {
  if (cidr === "") return [FieldError.required(path.child("cidr"), "")];
  const block = parseLegacyCidr(cidr);
  if (block === undefined) return validateCidr(cidr, path.child("cidr"));
  return except.flatMap((part, i) => validateExcept(part, block, path.child("except").index(i)));
}

function validateExcept(text: string, block: IpPrefix, path: FieldPath): FieldError[] {
  const part = parseLegacyCidr(text);
  if (part === undefined) return validateCidr(text, path);
  const isWithin = prefixContains(block, part.address) && block.bits < part.bits;
  return isWithin ? [] : [FieldError.invalid(path, text, "must be a strict subset of `cidr`")];
}

export function ipBlockWarnings({ cidr = "", except = [] }: IPBlock, path: FieldPath): string[] {
  return [
    ...cidrWarnings(cidr, path.child("cidr")),
    ...except.flatMap((part, i) => cidrWarnings(part, path.child("except").index(i))),
  ];
}
