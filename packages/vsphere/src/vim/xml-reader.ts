import { XMLParser } from "fast-xml-parser";
import type { ManagedObjectReference } from "./managed-object.ts";
/** An element: its text, its attributes, its children by name without a prefix. */
export type XmlNode = string | XmlElement;
export interface XmlElement {
  readonly [name: string]: XmlNode | readonly XmlNode[] | undefined;
}

const text = "#text";
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  textNodeName: text,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  // For tags only: type and xsi:type are two attributes.
  transformTagName: (name) => name.slice(name.indexOf(":") + 1),
  // A vCenter writes characters by number, and has no entities of its own.
  htmlEntities: true,
});

/** Throws if the text is no XML, or too large to parse. */
export function parseXml(document: string): XmlElement {
  const problem = xmlProblem(document);
  if (problem !== undefined) throw new Error(problem);
  const parsed = parser.parse(document, true);
  return typeof parsed === "object" && parsed !== null ? parsed : {};
}

/** All children of a name. */
export function childrenOf(node: XmlNode | undefined, name: string): readonly XmlNode[] {
  if (node === undefined || typeof node === "string") return [];
  const found = node[name];
  if (found === undefined) return [];
  return Array.isArray(found) ? found : [found as XmlNode];
}

/** The first child along a path. */
export function childOf(
  node: XmlNode | undefined,
  ...path: readonly string[]
): XmlNode | undefined {
  return path.reduce<XmlNode | undefined>((parent, name) => childrenOf(parent, name)[0], node);
}

/** The text of an element; undefined where there is no element. */
export function textOf(node: XmlNode | undefined): string | undefined {
  if (node === undefined || typeof node === "string") return node;
  const own = node[text];
  return typeof own === "string" ? own : "";
}

/** The text of the first child along a path. */
export function textAt(node: XmlNode | undefined, ...path: readonly string[]): string | undefined {
  return textOf(childOf(node, ...path));
}

/** The type attribute of an element, without a prefix. */
export function typeOf(node: XmlNode | undefined): string | undefined {
  if (node === undefined || typeof node === "string") return undefined;
  // Servers use different prefixes; "@type" alone is another attribute.
  const name = Object.keys(node).find((key) => key.startsWith("@") && key.endsWith(":type"));
  return name === undefined ? undefined : attributeOf(node, name)?.replace(/^.*:/, "");
}

/** The object that an element refers to. */
export function referenceOf(node: XmlNode | undefined): ManagedObjectReference | undefined {
  const type = attributeOf(node, "@type");
  const value = textOf(node);
  return type && value ? { type, value } : undefined;
}

function attributeOf(node: XmlNode | undefined, name: string): string | undefined {
  if (node === undefined || typeof node === "string") return undefined;
  const attribute = node[name];
  return typeof attribute === "string" ? attribute : undefined;
}

/** Ten times the depth of the answers of vCenters, and the elements of a page of a hundred machines. */
const deepest = 100;
const mostElements = 100_000;
const longestTag = 64 * 1024;

/** The reason not to parse a document, which would take too much memory; undefined if it may be parsed. */
export function xmlProblem(document: string): string | undefined {
  let depth = 0;
  let elements = 0;
  for (let start = document.indexOf("<"); start >= 0; ) {
    const end = endOfMarkup(document, start);
    if (end === undefined) return "it has a piece of markup without an end, or a declaration";
    const change = depthChange(document, start, end);
    depth += change;
    if (change >= 0 && isElement(document, start)) elements += 1;
    if (depth > deepest) return `it is deeper than ${deepest} elements`;
    if (elements > mostElements) return `it has more than ${mostElements} elements`;
    start = document.indexOf("<", end);
  }
  return undefined;
}

/** The end of the markup. A document type, which no vCenter sends, has none: it may define entities. */
function endOfMarkup(document: string, start: number): number | undefined {
  if (document.startsWith("<!--", start)) return behind(document, "-->", start);
  if (document.startsWith("<![CDATA[", start)) return behind(document, "]]>", start);
  if (document.startsWith("<!", start)) return undefined;
  const end = behind(document, ">", start);
  return end !== undefined && end - start <= longestTag ? end : undefined;
}

function behind(document: string, mark: string, start: number): number | undefined {
  const found = document.indexOf(mark, start);
  return found < 0 ? undefined : found + mark.length;
}

function depthChange(document: string, start: number, end: number): number {
  if (document[start + 1] === "/") return -1;
  const isWhole = document[end - 2] === "/" || !isElement(document, start);
  return isWhole ? 0 : 1;
}

function isElement(document: string, start: number): boolean {
  const next = document[start + 1];
  return next !== "/" && next !== "!" && next !== "?";
}
