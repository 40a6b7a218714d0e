import type { Client } from "@rookery/client";
import { clusterApiGroup } from "@rookery/cluster-api";
import { type KubeObject, type ObjectKey, parseApiVersion } from "@rookery/kube";
import { TemplateError } from "../errors.ts";
import { ignoreNotServed } from "../objects.ts";
import type { TemplateObject } from "./template.ts";
import { joinTemplates, makeTemplate, type Template, type TemplateOptions } from "./template.ts";

type ClassKey = Required<ObjectKey>;

export interface ClassSource {
  /** Reads a file of the template's release. */
  readonly readFile: (name: string) => Promise<string>;
  readonly options: TemplateOptions;
  /** Undefined without a management cluster. */
  readonly client: Client | undefined;
}

/**
 * A template with the missing ClusterClasses of its clusters before it. Throws TemplateError if a part
 * of a missing class exists.
 */
export async function withClusterClasses(
  template: Template,
  source: ClassSource,
): Promise<Template> {
  let classes: Template = { variables: [], objects: [] };
  for (const place of classesOf(template)) {
    const { client, options } = source;
    if (client && (await exists(client, classObject(place)))) continue;
    const text = await source.readFile(`clusterclass-${place.name}.yaml`);
    const made = makeTemplate(text, { ...options, namespace: place.namespace });
    if (client) await rejectParts(client, made);
    classes = joinTemplates(classes, made);
  }
  return joinTemplates(classes, template);
}

/** The classes that are not in the template itself. */
function classesOf({ objects }: Template): readonly ClassKey[] {
  const own = objects.flatMap(({ kind, metadata }) =>
    kind === "ClusterClass" ? [metadata?.name] : [],
  );
  const named = objects.flatMap((object) => classOf(object) ?? []);
  return named.filter(({ name }) => !own.includes(name));
}

/** The class of a Cluster of either contract. */
function classOf({ apiVersion = "", kind, metadata, spec }: TemplateObject): ClassKey | undefined {
  const { topology } = Object(spec);
  if (kind !== "Cluster" || parseApiVersion(apiVersion).group !== clusterApiGroup) return undefined;
  const name = topology?.classRef?.name ?? topology?.class;
  if (!name) return undefined;
  const namespace = topology.classRef?.namespace ?? topology.classNamespace;
  return { name, namespace: namespace ?? metadata?.namespace ?? "default" };
}

function classObject({ name, namespace }: ClassKey): TemplateObject {
  return {
    apiVersion: `${clusterApiGroup}/v1beta2`,
    kind: "ClusterClass",
    metadata: { name, namespace },
  };
}

/** Throws TemplateError, as existing objects of unknown content must not become a part of the class. */
async function rejectParts(client: Client, { objects }: Template): Promise<void> {
  for (const object of objects) {
    if (!(await exists(client, object))) continue;
    const { kind, metadata } = object;
    throw new TemplateError(
      `the ${kind} ${metadata?.namespace}/${metadata?.name} is there already, and the ClusterClass that it belongs to is not`,
    );
  }
}

async function exists(client: Client, object: TemplateObject): Promise<boolean> {
  const { apiVersion = "", kind = "", metadata } = object;
  const { name = "", namespace } = metadata ?? {};
  const get = async () => {
    const objects = await client.kind<KubeObject>({ apiVersion, kind });
    const isPlaced = objects.resource.namespaced && namespace;
    return objects.get({ name, ...(isPlaced && { namespace }) });
  };
  return (await ignoreNotServed(get())) !== undefined;
}
