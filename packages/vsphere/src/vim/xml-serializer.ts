import { typeOf, type XmlElement, type XmlNode } from "./xml-reader.ts";
import { escapeXml } from "./xml-writer.ts";

/** Writes what was read, so that it can be sent back: elements in the order in which they came. */
export function serializeNode(name: string, node: XmlNode): string {
  if (typeof node === "string") return `<${name}>${escapeXml(node)}</${name}>`;
  return `<${name}${attributesOf(node)}>${contentOf(node)}</${name}>`;
}

/** Of all attributes only the types are written. */
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
