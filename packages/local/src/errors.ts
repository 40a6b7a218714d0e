import { defineError } from "@rookery/errors";

/** Another embedded Kubernetes on this machine uses the addresses of this one's Services. */
export class NetworksError extends defineError("NetworksInUse", (podCidr: string) => ({
  message:
    `could not claim the addresses ${podCidr} for pods: another embedded Kubernetes on this machine ` +
    "uses them; stop it first",
  podCidr,
})) {}
