import {
  inspectVariables,
  MissingVariablesError,
  parseDocuments,
  replaceVariables,
  type Variable,
  type VariableLookup,
} from "@rookery/components";
import { TemplateError } from "../errors.ts";

/** The objects of a template, and its variables. */
export interface Template {
  readonly variables: readonly Variable[];
  /** Empty where only the variables are listed. */
  readonly objects: readonly TemplateObject[];
}

export interface TemplateOptions {
  readonly lookup: VariableLookup;
  /** The namespace of all objects; unchanged where absent. */
  readonly namespace?: string;
  /** Whether only the variables are listed, which need no values. */
  readonly isListed: boolean;
}

/** Throws TemplateError for missing values and for documents that are no objects, and errors of the YAML. */
export function makeTemplate(text: string, options: TemplateOptions): Template {
  const { lookup, namespace, isListed } = options;
  const variables = inspectVariables(text);
  if (isListed) return { variables, objects: [] };
  const objects = parseDocuments(replaceOrExplain(text, lookup, "--list-variables")).map(
    ({ value, source }) => {
      if (typeof value === "object" && !Array.isArray(value)) return value as TemplateObject;
      throw new TemplateError(`document ${source.index} (line ${source.line}) is no object`);
    },
  );
  const placed = namespace ? objects.map((object) => withNamespace(object, namespace)) : objects;
  return { variables, objects: placed };
}

/** The objects and variables of both; where both have a default, that of the first counts. */
export function joinTemplates(first: Template, second: Template): Template {
  const byName = new Map(first.variables.map((variable) => [variable.name, variable]));
  for (const variable of second.variables) {
    if (byName.get(variable.name)?.default === undefined) byName.set(variable.name, variable);
  }
  const variables = [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return { variables, objects: [...first.objects, ...second.objects] };
}

/** Replaces variables; `flag` lists them. Throws TemplateError with all that have no value. */
export function replaceOrExplain(text: string, lookup: VariableLookup, flag: string): string {
  try {
    return replaceVariables(text, lookup);
  } catch (error) {
    if (!(error instanceof MissingVariablesError)) throw error;
    const names = error.missing.join(", ");
    const why = `there is no value for ${names}; set them in the environment or in the configuration file, and list all with ${flag}`;
    throw new TemplateError(why, error);
  }
}

/** An object of a template, possibly invalid. */
export interface TemplateObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
  readonly spec?: unknown;
  readonly subjects?: readonly { readonly namespace?: string }[];
}

/** The cluster-scoped kinds that clusterctl knows. */
const clusterWide = new Set([
  ...["Namespace", "Node", "PersistentVolume", "PodSecurityPolicy", "CertificateSigningRequest"],
  ...["ClusterRoleBinding", "ClusterRole", "VolumeAttachment", "StorageClass", "CSIDriver"],
  ...["CSINode", "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"],
  ...["CustomResourceDefinition", "PriorityClass", "RuntimeClass"],
]);

/** An object in the namespace of the cluster. */
export function withNamespace(object: TemplateObject, namespace: string): TemplateObject {
  const { kind = "", metadata, subjects } = object;
  const place = kind === "Namespace" ? { name: namespace } : {};
  return {
    ...object,
    metadata: { ...metadata, ...place, ...(!clusterWide.has(kind) && { namespace }) },
    ...(subjects && {
      subjects: subjects.map((one) => (one.namespace ? { ...one, namespace } : one)),
    }),
  };
}
