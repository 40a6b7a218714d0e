import type { ManagedObjectReference } from "./managed-object.ts";
import { typeOf, type XmlElement, type XmlNode } from "./xml-reader.ts";

/** A piece of XML; undefined is left out. The vCenter requires the order of its schema. */
export type Xml = string | undefined;

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
};
const unsafe = /[&<>"\r]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no way to write these.
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Text between tags; characters that XML does not allow become U+FFFD. */
export function escapeXml(text: string): string {
  return text.replaceAll(unwritable, "\ufffd").replaceAll(unsafe, (character) => {
    return escapes[character] ?? character;
  });
}

/** An element with a value; undefined without one. */
export function value(name: string, content: string | number | boolean | undefined): Xml {
  return content === undefined ? undefined : `<${name}>${escapeXml(String(content))}</${name}>`;
}

/** An element that refers to an object; undefined without one. */
export function reference(name: string, object: ManagedObjectReference | undefined): Xml {
  if (!object) return undefined;
  return `<${name} type="${escapeXml(object.type)}">${escapeXml(object.value)}</${name}>`;
}

/** An element with children, and with a type if the schema allows several. */
export function data(name: string, children: readonly Xml[], type?: string): string {
  const attribute = type ? ` xsi:type="${type}"` : "";
  return `<${name}${attribute}>${children.filter(Boolean).join("")}</${name}>`;
}

/** The same; undefined without children. */
export function dataUnlessEmpty(name: string, children: readonly Xml[]): Xml {
  return children.some(Boolean) ? data(name, children) : undefined;
}

/** An element whose schema takes a value of any type. */
export function anyString(name: string, content: string): string {
  return `<${name} xsi:type="xsd:string">${escapeXml(content)}</${name}>`;
}

/** Serializes a node that was read, with its elements in the same order. */
export function serializeNode(name: string, node: XmlNode): string {
  if (typeof node === "string") return `<${name}>${escapeXml(node)}</${name}>`;
  return `<${name}${attributesOf(node)}>${contentOf(node)}</${name}>`;
}

/** The attributes with types; others are left out. */
function attributesOf(node: XmlElement): string {
  const own = node["@type"];
  const type = typeOf(node);
  const isBasic = type !== undefined && /^[a-z]/.test(type);
  return [
    typeof own === "string" ? ` type="${escapeXml(own)}"` : "",
    type === undefined ? "" : ` xsi:type="${isBasic ? "xsd:" : ""}${escapeXml(type)}"`,
  ].join("");
}

function contentOf(node: XmlElement): string {
  return Object.entries(node)
    .filter(([key]) => !key.startsWith("@"))
    .flatMap(([key, content]) => {
      const all = Array.isArray(content) ? content : [content as XmlNode];
      return all.map((one) => (key === "#text" ? escapeXml(String(one)) : serializeNode(key, one)));
    })
    .join("");
}
