/** Parts of Docker's grammar of references. */
const host = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
const domain = `(?:${host}(?:\\.${host})*|\\[(?:[a-fA-F0-9:]+)\\])(?::[0-9]+)?`;
const component = "[a-z0-9]+(?:(?:[._]|__|[-]+)[a-z0-9]+)*";
const reference = new RegExp(
  `^(?<name>(?:${domain}/)?${component}(?:/${component})*)(?::(?<tag>[\\w][\\w.-]{0,127}))?(?:@(?<digest>[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?$`,
);

const maxPathLength = 255;

/** A name without its registry, and with the folder that is meant where it says none. */
function pathOf(name: string): string {
  const [first = "", ...rest] = name.split("/");
  if (rest.length === 0) return `library/${name}`;
  const isRegistry = /[.:]/.test(first) || first === "localhost" || first !== first.toLowerCase();
  return isRegistry ? rest.join("/") : name;
}

/**
 * The tag that an image is pulled by: "latest" where neither a tag nor a digest is named, "" where
 * there is only a digest, or where the name is none.
 */
export function imageTag(image: string): string {
  const groups = /^[a-f0-9]{64}$/.test(image) ? undefined : reference.exec(image)?.groups;
  if (groups === undefined || pathOf(groups.name ?? "").length > maxPathLength) return "";
  return groups.tag ?? (groups.digest === undefined ? "latest" : "");
}
