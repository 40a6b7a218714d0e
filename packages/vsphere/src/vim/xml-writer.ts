import type { ManagedObjectReference } from "./managed-object.ts";

/** A piece of XML; undefined is left out. The vCenter wants elements in the order of its schema. */
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

/** Text as it stands between tags; what XML cannot hold becomes U+FFFD. */
export function escapeXml(text: string): string {
  return text.replaceAll(unwritable, "\ufffd").replaceAll(unsafe, (character) => {
    return escapes[character] ?? character;
  });
}

/** An element with a value, or nothing where there is none. */
export function value(name: string, content: string | number | boolean | undefined): Xml {
  return content === undefined ? undefined : `<${name}>${escapeXml(String(content))}</${name}>`;
}

/** An element that refers to an object, or nothing where there is none. */
export function reference(name: string, object: ManagedObjectReference | undefined): Xml {
  if (!object) return undefined;
  return `<${name} type="${escapeXml(object.type)}">${escapeXml(object.value)}</${name}>`;
}

/** An element with others inside, of a type where the schema leaves it open. */
export function data(name: string, children: readonly Xml[], type?: string): string {
  const attribute = type ? ` xsi:type="${type}"` : "";
  return `<${name}${attribute}>${children.filter(Boolean).join("")}</${name}>`;
}

/** The same, or nothing where nothing is inside. */
export function dataUnlessEmpty(name: string, children: readonly Xml[]): Xml {
  return children.some(Boolean) ? data(name, children) : undefined;
}

/** An element whose schema takes a value of any type. */
export function anyString(name: string, content: string): string {
  return `<${name} xsi:type="xsd:string">${escapeXml(content)}</${name}>`;
}
