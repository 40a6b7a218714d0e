import { formatApiVersion, type GroupVersionKind, validateDns1123Subdomain } from "@rookery/kube";
import { compileSchema, type StructuralSchema } from "@rookery/schema";
import { InvalidGroupError } from "../errors.ts";
import type { ResourceHandlers, ResourceStrategy } from "./handlers.ts";
import type {
  ServedConnect,
  ServedGroup,
  ServedResource,
  ServedSubresource,
  ServedVersion,
  TypedDecoder,
} from "./served-group.ts";

/** A resource or subresource in a served version. */
export interface ResourceScope {
  readonly group: string;
  readonly version: string;
  readonly resource: ServedResource;
  /** "" for the resource itself. */
  readonly subresource: string;
  /** The kind of its bodies. */
  readonly kind: GroupVersionKind;
  readonly handlers: ResourceHandlers;
  readonly strategy: ResourceStrategy;
  /** Compiled lazily. */
  readonly schema: StructuralSchema;
  /** Decodes bodies instead of the schema; the strategy validates them. */
  readonly decode: TypedDecoder | undefined;
  /** How bodies are decoded: a subresource's own kind is always built-in. */
  readonly dialect: NonNullable<ServedResource["dialect"]>;
  /** Replaces the handlers. */
  readonly connect: ServedConnect | undefined;
  /** Whether any served version has the kind. */
  readonly isServedKind: (kind: GroupVersionKind) => boolean;
}

/** The served groups by path. Immutable. */
export class GroupRegistry {
  readonly groups: readonly ServedGroup[];
  readonly #scopes = new Map<string, ResourceScope>();
  readonly #kinds = new Set<string>();

  /** Throws an InvalidGroupError. */
  constructor(groups: readonly ServedGroup[]) {
    const problems = problemsOf(groups);
    if (problems.length > 0) throw new InvalidGroupError(problems);
    this.groups = groups;
    for (const group of groups) {
      for (const version of group.versions) this.#add(group.name, version);
    }
  }

  group(name: string): ServedGroup | undefined {
    return this.groups.find((group) => group.name === name);
  }

  /** Whether a group has built-in kinds. */
  isBuiltIn(name: string): boolean {
    const versions = this.group(name)?.versions ?? [];
    return versions.some(({ resources }) => resources.some(({ dialect }) => dialect !== "custom"));
  }

  version(group: string, version: string): ServedVersion | undefined {
    return this.group(group)?.versions.find(({ name }) => name === version);
  }

  scope(at: { group: string; version: string; resource: string; subresource: string }) {
    return this.#scopes.get(scopeKey(at));
  }

  #add(group: string, version: ServedVersion): void {
    for (const resource of version.resources) {
      const at = { group, version: version.name };
      const isServedKind = (kind: GroupVersionKind) => this.#kinds.has(kindKey(kind));
      this.#kinds.add(kindKey({ ...at, kind: resource.kind }));
      for (const scope of scopesOf(resource, { ...at, isServedKind })) {
        const { subresource } = scope;
        this.#scopes.set(scopeKey({ ...at, resource: resource.plural, subresource }), scope);
      }
    }
  }
}

type Place = Pick<ResourceScope, "group" | "version" | "isServedKind">;

function scopesOf(resource: ServedResource, place: Place): ResourceScope[] {
  const { group, version } = place;
  const own = { group, version, kind: resource.kind };
  const schema = lazySchema(resource.schema);
  const { handlers, strategy = {}, decode, dialect = "built-in" } = resource;
  const main = lazyScope(
    {
      ...place,
      resource,
      subresource: "",
      kind: own,
      handlers,
      strategy,
      decode,
      dialect,
      connect: undefined,
    },
    schema,
  );
  const parts = Object.entries(resource.subresources ?? {}).map(([subresource, part]) => {
    const { kind = own, handlers: partHandlers, strategy: partStrategy = {}, connect } = part;
    const scope = {
      ...place,
      resource,
      subresource,
      kind,
      decode: decoderOf(part, resource),
      dialect: part.kind ? "built-in" : dialect,
    };
    const partSchema = part.schema ? lazySchema(part.schema) : schema;
    return lazyScope(
      { ...scope, handlers: partHandlers, strategy: partStrategy, connect },
      partSchema,
    );
  });
  return [main, ...parts];
}

function decoderOf(part: ServedSubresource, resource: ServedResource): TypedDecoder | undefined {
  return part.decode ?? (part.kind ? undefined : resource.decode);
}

function lazyScope(scope: Omit<ResourceScope, "schema">, schema: () => StructuralSchema) {
  return Object.defineProperty(scope, "schema", { get: schema }) as ResourceScope;
}

function lazySchema(props: ServedResource["schema"]): () => StructuralSchema {
  return () => compiledSchema(props);
}

const compiled = new WeakMap<ServedResource["schema"], StructuralSchema>();

/** Compiles each schema once, also across changes of the groups. */
export function compiledSchema(props: ServedResource["schema"]): StructuralSchema {
  const known = compiled.get(props) ?? compileSchema(props);
  compiled.set(props, known);
  return known;
}

function scopeKey(at: { group: string; version: string; resource: string; subresource: string }) {
  return [at.group, at.version, at.resource, at.subresource].join("\n");
}

function kindKey({ group, version, kind }: GroupVersionKind): string {
  return `${formatApiVersion({ group, version })}\n${kind}`;
}

function problemsOf(groups: readonly ServedGroup[]): string[] {
  return [
    ...repeated(groups.map(({ name }) => name)).map((name) => `group "${name}" is declared twice`),
    ...groups.flatMap(groupProblems),
  ];
}

function groupProblems({ name, versions }: ServedGroup): string[] {
  const names = name === "" ? [] : validateDns1123Subdomain(name);
  return [
    ...names.map((problem) => `group "${name}": ${problem}`),
    ...(versions.length === 0 ? [`group "${name}" has no version`] : []),
    ...repeated(versions.map((each) => each.name)).map(
      (each) => `version "${each}" of group "${name}" is declared twice`,
    ),
    ...versions.flatMap((version) => versionProblems(name, version)),
  ];
}

function versionProblems(group: string, { name, resources }: ServedVersion): string[] {
  const twice = [
    ...repeated(resources.map(({ plural }) => plural)),
    ...repeated(resources.map(({ kind }) => kind)),
  ];
  return twice.map(
    (each) => `"${each}" of ${formatApiVersion({ group, version: name })} is declared twice`,
  );
}

function repeated(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
