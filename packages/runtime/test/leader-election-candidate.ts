/**
 * A process that wants to lead, for tests that kill it: `<kubeconfig> <namespace> <name> <seconds>`,
 * with a lease of so many seconds. It prints "leading" when it does, and gives the lease back on SIGTERM.
 */
import { createClient, loadConfig } from "@rookery/client";
import { builtInResources } from "@rookery/kube";
import { createManager, LeaderElector, type Lease, setupSignalHandler } from "@rookery/runtime";

const [path = "", namespace = "", name = "", seconds = ""] = process.argv.slice(2);
const leaseDuration = Number(seconds) * 1000;
await using client = createClient(await loadConfig({ path }));
const leaderElection = new LeaderElector({
  leases: client.resource<Lease>(builtInResources.leases),
  lease: { namespace, name },
  identity: "process",
  leaseDuration,
  renewDeadline: leaseDuration * 0.9,
  retryPeriod: 500,
});
const manager = createManager({ leaderElection });
manager.add({
  name: "work",
  async start(signal) {
    console.log("leading");
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  },
});
await manager.start(setupSignalHandler());
