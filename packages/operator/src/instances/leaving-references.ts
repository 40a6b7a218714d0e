import type { Client } from "@rookery/client";
import { clusterApiGroup } from "@rookery/cluster-api";
import type { KubeObject } from "@rookery/kube";
import { watchTargetsOf } from "@rookery/runtime";
import { has, scopeOf } from "../identity/namespace-set.ts";
import { listSome } from "../list-some.ts";
import { findServedResource } from "../storage-versions/definition.ts";
import { isCore, suffixOf } from "./core-of.ts";
import { describeInstance, type Family, type InstanceWarning } from "./family.ts";

interface Cluster extends KubeObject {
  readonly spec?: {
    readonly topology?: {
      readonly classNamespace?: string;
      readonly classRef?: { readonly namespace?: string };
    };
  };
}

/** The most namespaces that are listed one by one, or excluded by name; else all are listed. */
const mostTargets = 50;

/** Warns of Clusters with a ClusterClass in a namespace that their core does not watch. */
export async function referenceWarnings(
  { self }: Family,
  client: Client,
): Promise<InstanceWarning[]> {
  const { view, claim } = self;
  if (!isCore(view)) return [];
  const group = suffixOf(view) ?? clusterApiGroup;
  const resource = await findServedResource(client, `clusters.${group}`);
  if (resource === undefined) return [];
  const isShort = claim.names.length <= mostTargets;
  const leaving: string[] = [];
  for (const target of isShort ? watchTargetsOf(scopeOf(claim), resource) : [{}]) {
    const found: string[] = [];
    const clusters = client.resource<Cluster>(resource);
    await clusters.listPages(target, ({ list, restarted }) => {
      if (restarted) found.length = 0;
      for (const { metadata, spec } of list.items) {
        const { namespace = "", name } = metadata;
        const to = spec?.topology?.classRef?.namespace ?? spec?.topology?.classNamespace;
        if (!to || !has(claim, namespace) || has(claim, to)) continue;
        const instance = describeInstance(self);
        found.push(`Cluster ${namespace}/${name} to ${to}, which ${instance} does not watch`);
      }
    });
    leaving.push(...found);
  }
  if (leaving.length === 0) return [];
  const message =
    `references leave the namespaces of their instance: ${listSome(leaving, 3, "; ")}; ` +
    "let one instance watch both namespaces, or put the ClusterClass beside the Cluster";
  return [{ reason: "ReferencesLeaveScope", message }];
}
