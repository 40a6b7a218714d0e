import type { EndpointContext } from "../kind.ts";
import { endpointSliceKind } from "./endpoint-slice.ts";

export function discoveryKinds(context: EndpointContext) {
  return [endpointSliceKind(context)];
}
