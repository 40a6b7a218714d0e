import { UnexpectedAnswerError } from "../errors.ts";
import type { VCenter } from "./connect.ts";
import type { ManagedObjectReference } from "./managed-object.ts";
import { childOf, childrenOf, referenceOf, textAt, type XmlNode } from "./xml-reader.ts";
import { data, reference, value, type Xml } from "./xml-writer.ts";

/** The known properties by their paths. */
export type Properties = ReadonlyMap<string, XmlNode>;

export interface PropertyWatch {
  readonly object: ManagedObjectReference;
  readonly paths: readonly string[];
  /** Called with all known properties after each change, the first time at once. */
  readonly onChange: (properties: Properties) => void;
  /** Called once, when the watch has ended: the object is gone, or the stream failed. */
  readonly onEnd: (error: Error) => void;
}

export interface Watching {
  /** Ends the watch; `onEnd` is not called. */
  stop(): Promise<void>;
}

/** The properties of an object. */
export interface ObjectContent {
  readonly object: ManagedObjectReference;
  /** By their paths, without properties that are unset or may not be read. */
  readonly properties: ReadonlyMap<string, XmlNode>;
}

export interface RetrieveOptions {
  /** Such as "config.uuid". */
  readonly paths: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** Reads properties of one object; none if the vCenter does not return the object. */
export async function readProperties(
  vcenter: VCenter,
  object: ManagedObjectReference,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<Properties> {
  const [content] = await retrieveProperties(vcenter, [object], { paths, signal });
  return content?.properties ?? new Map();
}

/** Reads properties of objects, with one call for each page of the vCenter. */
export async function retrieveProperties(
  vcenter: VCenter,
  objects: readonly ManagedObjectReference[],
  options: RetrieveOptions,
): Promise<ObjectContent[]> {
  if (objects.length === 0) return [];
  return retrieve(vcenter, objectFilter(objects, options.paths), options.signal);
}

/** Reads properties of all objects in a view. */
export async function retrieveViewProperties(
  vcenter: VCenter,
  view: ManagedObjectReference,
  options: RetrieveOptions & { readonly type: string },
): Promise<ObjectContent[]> {
  const traversal = data(
    "selectSet",
    [value("name", "view"), value("type", view.type), value("path", "view"), value("skip", false)],
    "TraversalSpec",
  );
  const filter = data("specSet", [
    propertySet(options.type, options.paths),
    data("objectSet", [reference("obj", view), value("skip", true), traversal]),
  ]);
  return retrieve(vcenter, filter, options.signal);
}

/** A PropertyFilterSpec for objects of any types. */
export function objectFilter(
  objects: readonly ManagedObjectReference[],
  paths: readonly string[],
  name = "specSet",
): string {
  const types = new Set(objects.map(({ type }) => type));
  return data(name, [
    ...Array.from(types, (type) => propertySet(type, paths)),
    ...objects.map((object) => data("objectSet", [reference("obj", object), value("skip", false)])),
  ]);
}

function propertySet(type: string, paths: readonly string[]): string {
  return data("propSet", [
    value("type", type),
    value("all", false),
    ...paths.map((path) => value("pathSet", path)),
  ]);
}

/** A vCenter makes pages of about a hundred objects. */
const mostPages = 200;

async function retrieve(
  vcenter: VCenter,
  filter: string,
  signal: AbortSignal | undefined,
): Promise<ObjectContent[]> {
  const self = vcenter.content.propertyCollector;
  const call = (method: string, args: readonly Xml[]) =>
    vcenter.call({ method, self, args, signal });
  const contents: ObjectContent[] = [];
  let page = await call("RetrievePropertiesEx", [filter, data("options", [])]);
  for (let pages = 1; pages <= mostPages; pages++) {
    for (const node of childrenOf(page, "objects")) contents.push(...contentOf(node));
    const token = textAt(page, "token");
    if (!token) return contents;
    page = await call("ContinueRetrievePropertiesEx", [value("token", token)]);
  }
  throw new UnexpectedAnswerError("RetrievePropertiesEx", `it has more than ${mostPages} pages`);
}

function contentOf(node: XmlNode): ObjectContent[] {
  const object = referenceOf(childOf(node, "obj"));
  if (!object) return [];
  const properties = new Map<string, XmlNode>();
  for (const property of childrenOf(node, "propSet")) {
    const name = textAt(property, "name");
    const content = childOf(property, "val");
    if (name && content !== undefined) properties.set(name, content);
  }
  return [{ object, properties }];
}
