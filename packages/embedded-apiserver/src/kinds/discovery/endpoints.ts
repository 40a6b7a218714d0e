import type { Endpoint, EndpointHints } from "@rookery/api";
import { dns1123Label, dns1123Subdomain, labelValue, maxItems, unique } from "../meta/checks.ts";
import { each, firstOf, optional, required } from "../meta/combinators.ts";
import { type Rules, ruleOf } from "../meta/rules.ts";
import { type SliceAddresses, sliceAddress } from "./addresses.ts";

const maxHints = 8;

/** Go: validateHints. Too many zones keep nodes from being validated. */
const hints: Rules<EndpointHints> = firstOf<EndpointHints>({ forZones: maxItems(maxHints) }, [
  { forZones: each({ name: [unique, labelValue] }) },
  (hints, field) => nodes(hints.forNodes, field.child("forNodes")),
]);

const nodes = firstOf<EndpointHints["forNodes"]>(
  maxItems(maxHints),
  each({ name: [unique, dns1123Subdomain] }),
);

const endpoint: Rules<Endpoint, SliceAddresses> = {
  addresses: [required([], "must contain at least 1 address"), maxItems(100), each(sliceAddress)],
  nodeName: optional(dns1123Subdomain),
  hostname: optional(dns1123Label),
  hints: optional(hints),
};

/** Go: validateEndpoints. */
export const endpoints = ruleOf<readonly Endpoint[] | undefined, SliceAddresses>(
  firstOf<readonly Endpoint[] | undefined, SliceAddresses>(maxItems(1000), each(endpoint)),
);
