import type { KubeObject } from "@rookery/kube";
import { renderOperator } from "@rookery/operator";
import { milestone, type Part } from "./part.ts";

/** The operator, with one pod: there is nobody to take over on one machine. */
export async function operator(image: string): Promise<Part> {
  const objects = (await renderOperator({ image, replicas: 1 })) as readonly KubeObject[];
  return {
    name: "operator",
    what: "installs providers that are declared as objects",
    objects,
    ready: objects
      .filter(({ kind }) => kind === "Deployment")
      .map((deployment) => milestone(deployment, "Available")),
  };
}
