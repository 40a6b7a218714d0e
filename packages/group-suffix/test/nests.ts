import { type Client, createClient, loadConfig } from "@rookery/client";
import { createGroupMapping, renameGroups } from "@rookery/group-suffix";
import { builtInResources, type KubeObject, type ObjectMeta, type Resource } from "@rookery/kube";
import type { Kubernetes } from "@rookery/testing";

export interface Nest extends KubeObject<{ readonly eggs?: number }, { readonly eggs?: number }> {}

/** A client that speaks of virtual groups, and one that sees what is really there. */
export interface Clients extends AsyncDisposable {
  readonly renamed: Client;
  readonly plain: Client;
}

export async function connect(kubernetes: Kubernetes, suffixes: Suffixes): Promise<Clients> {
  const config = await loadConfig({ path: kubernetes.kubeconfig });
  const interceptor = renameGroups({ mapping: createGroupMapping([suffixes]) });
  const plain = createClient(config);
  const renamed = createClient(config, { interceptors: interceptor ? [interceptor] : [] });
  return {
    renamed,
    plain,
    async [Symbol.asyncDispose]() {
      await renamed.destroy();
      await plain.destroy();
    },
  };
}

export interface Suffixes {
  readonly virtual: string;
  readonly real: string;
}

export function nestsOf(suffix: string): Resource {
  return {
    group: `zoo.${suffix}`,
    version: "v1",
    kind: "Nest",
    plural: "nests",
    singular: "nest",
    namespaced: true,
  };
}

export function nestsCrd(suffix: string) {
  const { group, plural, singular, kind } = nestsOf(suffix);
  const integer = { type: "integer" };
  const schema = {
    type: "object",
    properties: {
      spec: { type: "object", properties: { eggs: { ...integer, maximum: 100 } } },
      status: { type: "object", properties: { eggs: integer } },
    },
  };
  const scale = { specReplicasPath: ".spec.eggs", statusReplicasPath: ".status.eggs" };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition" as const,
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, singular, kind, listKind: "NestList" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {}, scale },
          schema: { openAPIV3Schema: schema },
        },
      ],
    },
  };
}

export function nest(suffix: string, metadata: ObjectMeta, eggs = 1): Nest {
  return { apiVersion: `zoo.${suffix}/v1`, kind: "Nest", metadata, spec: { eggs } };
}

export const { configMaps, customResourceDefinitions } = builtInResources;
