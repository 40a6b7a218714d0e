import { fileURLToPath } from "node:url";
import type { Kubernetes } from "@rookery/testing";

const main = fileURLToPath(new URL("../../cli/src/main.ts", import.meta.url));

/** A kubeconfig whose user has no credential but `rookery login` with these arguments. */
export function loginKubeconfig(kubernetes: Kubernetes, args: readonly string[]): string {
  const ca = Buffer.from(kubernetes.ca).toString("base64");
  const exec = {
    apiVersion: "client.authentication.k8s.io/v1",
    command: process.execPath,
    args: [main, "login", ...args],
    interactiveMode: "Never",
    provideClusterInfo: true,
  };
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      { name: "test", cluster: { server: kubernetes.server, "certificate-authority-data": ca } },
    ],
    users: [{ name: "user", user: { exec } }],
    contexts: [{ name: "test", context: { cluster: "test", user: "user" } }],
    "current-context": "test",
  });
}
