import { endpointSliceKind } from "./endpoint-slice.ts";

export const discoveryKinds = [endpointSliceKind];
