import type { Condition, KubeObject } from "@rookery/kube";
import { isTrue } from "./light-tenants.ts";
import type { RunningLocal } from "./running-local.ts";

const program =
  'http.createServer((_, answer) => answer.end("hello")).listen(8080, process.env.POD_IP)';

/** Seconds from the apply of a Deployment of our own image until it is Available; then it goes. */
export async function timeDeployment(local: RunningLocal, name: string): Promise<number> {
  const started = performance.now();
  const deployment = await local.apply(deploymentOf(name));
  await local.untilSo<KubeObject<unknown, { readonly conditions?: readonly Condition[] }>>(
    deployment,
    (one) => isTrue(one, "Available"),
  );
  const seconds = (performance.now() - started) / 1000;
  const deployments = await local.resource("apps/v1", "Deployment");
  await deployments.delete({ namespace: "default", name });
  await local.until(async () => (await local.podUids("default")).size === 0, {
    what: `the pods of Deployment ${name} to be gone`,
  });
  return seconds;
}

function deploymentOf(name: string): object {
  const labels = { app: name };
  const container = {
    name: "web",
    image: "rookery:0.0.0",
    command: ["node", "--eval", program],
    env: [{ name: "POD_IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } }],
    readinessProbe: { httpGet: { port: 8080, path: "/" }, periodSeconds: 1 },
  };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace: "default", name },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { terminationGracePeriodSeconds: 1, containers: [container] },
      },
    },
  };
}
