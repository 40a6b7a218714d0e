import { leaseKind } from "./lease.ts";

export const coordinationKinds = [leaseKind];
