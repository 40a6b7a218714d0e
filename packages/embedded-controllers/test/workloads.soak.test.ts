import { after, before, describe, it } from "node:test";
import { type Kubernetes, startKubernetes } from "@rookery/testing";
import { playScene } from "./workloads/play-scene.ts";
import { scenes } from "./workloads/scenes.ts";

const controllers = [
  "garbage-collector-controller,namespace-controller,serviceaccount-controller",
  "deployment-controller,replicaset-controller,statefulset-controller,daemonset-controller",
  "job-controller,ttl-after-finished-controller,cronjob-controller",
  "root-ca-certificate-publisher-controller,persistentvolumeclaim-protection-controller",
];

describe("workloads, on a real kube-controller-manager and on the embedded one", {
  concurrency: 4,
}, () => {
  let real: Kubernetes;
  let own: Kubernetes;

  before(async () => {
    [real, own] = await Promise.all([
      startKubernetes({ controllerManagerArgs: [`--controllers=${controllers}`] }),
      startKubernetes({ flavour: "embedded" }),
    ]);
  });
  after(async () => {
    await Promise.all([real, own].map((kubernetes) => kubernetes?.[Symbol.asyncDispose]()));
  });

  for (const [name, play] of Object.entries(scenes)) {
    it(name, () => playScene(play, [real, own]));
  }
});
