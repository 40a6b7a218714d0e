import type { EndpointSlicePort } from "@rookery/api";
import { dns1123Label, maxItems, oneOf, qualifiedName, unique } from "../meta/checks.ts";
import { each, firstOf, optional, unlessEmpty } from "../meta/combinators.ts";
import type { Rules } from "../meta/rules.ts";

/** At most one port has no name. */
const port: Rules<EndpointSlicePort> = {
  name: [unlessEmpty(dns1123Label), unique],
  protocol: oneOf("SCTP", "TCP", "UDP"),
  appProtocol: optional(qualifiedName),
};

/** Go: validatePorts of a slice. */
export const slicePorts = firstOf<readonly EndpointSlicePort[] | undefined>(
  maxItems(20_000),
  each(port),
);
