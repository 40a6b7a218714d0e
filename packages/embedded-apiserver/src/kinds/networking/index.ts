import { networkPolicyKind } from "./network-policy.ts";

export const networkingKinds = [networkPolicyKind];
