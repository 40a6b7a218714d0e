/** Another embedded Kubernetes of this machine has the addresses that Services of this one have, too. */
export class NetworksError extends Error {
  readonly code = "NetworksInUse";
  override readonly name = "NetworksError";
  readonly podCidr: string;

  constructor(podCidr: string) {
    super(
      `could not take the addresses ${podCidr} for pods: another embedded Kubernetes of this machine ` +
        "has them; end that one first",
    );
    this.podCidr = podCidr;
  }
}
