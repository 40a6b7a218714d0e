import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** A schema of OpenAPI v3, with the fields that Kubernetes' models use. */
interface OpenApiSchema {
  /** "#/components/schemas/" and the name of a model. */
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly additionalProperties?: OpenApiSchema;
  readonly items?: OpenApiSchema;
  readonly allOf?: readonly OpenApiSchema[];
  readonly oneOf?: readonly OpenApiSchema[];
  readonly "x-kubernetes-group-version-kind"?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
  readonly "x-kubernetes-list-type"?: "atomic" | "map" | "set";
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-map-type"?: "atomic" | "granular";
  readonly "x-kubernetes-patch-merge-key"?: string;
  readonly "x-kubernetes-patch-strategy"?: string;
}

export interface OpenApiModels {
  /** By its name, such as "io.k8s.api.apps.v1.Deployment". */
  model(name: string): OpenApiSchema | undefined;
}

const file = join(import.meta.dirname, "../generated/openapi-models.json.gz");
let models: ReadonlyMap<string, OpenApiSchema> | undefined;

/** The models of the built-in kinds, with descriptions. The file is read on first use. */
export function openApiModels(): OpenApiModels {
  return { model: (name) => loaded().get(name) };
}

function loaded(): ReadonlyMap<string, OpenApiSchema> {
  models ??= new Map(Object.entries(JSON.parse(gunzipSync(readFileSync(file)).toString())));
  return models;
}
