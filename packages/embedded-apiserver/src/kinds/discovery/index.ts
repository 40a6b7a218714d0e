import type { EndpointContext } from "../declaration/kind.ts";
import { endpointSliceKind } from "./endpoint-slice.ts";

export function discoveryKinds(context: EndpointContext) {
  return [endpointSliceKind(context)];
}
