/** Letters of random names, as Kubernetes chooses them. */
const letter = "[bcdfghjklmnpqrstvwxz2456789]";

const replacements: readonly (readonly [pattern: RegExp, instead: string])[] = [
  // The node of the run has no DNS, and its kubelet says so of each pod.
  [/^.*MissingClusterDNS.*\n/gm, ""],
  // kubectl cp has all that it wants before it hears this, and may have gone.
  [/^tar: removing leading '\/' from member names\n/gm, ""],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "{uid}"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "{time}"],
  [/\w{3}, \d\d \w{3} \d{4} [\d:]+ \+0000/g, "{time}"],
  [/((resourceVersion|startedAt)"?: "?)\d+/g, "$1{version}"],
  [/\b(containerd|rookery):\/\/\w+/g, "{container}"],
  // What stands for an image, and what it is made of, has an identity of another kind.
  [/image: \S+(?=\n\s+imageID)/g, "image: {image}"],
  [/((imageID|Image ID): +)\S+/g, "$1{image}"],
  [/\b\d+\.\d+\.\d+\.\d+\b/g, "{ip}"],
  [/\/tmp\/\S+/g, "{file}"],
  [new RegExp(`kube-api-access-${letter}{5}`, "g"), "kube-api-access-{random}"],
  [new RegExp(`\\b(web|last)-${letter}{6,10}-${letter}{5}\\b`, "g"), "$1-{hash}-{random}"],
  [new RegExp(`\\b(web|last)-${letter}{6,10}\\b`, "g"), "$1-{hash}"],
  [new RegExp(`\\b(web|counted|failing|by-hand)-${letter}{5}\\b`, "g"), "$1-{random}"],
  [/(pod-template-hash[=:] ?)"?\w+"?/g, "$1{hash}"],
  // One that crashes may have come back once more in between.
  [/(Restart Count: +)[1-9]\d*/g, "$1{count}"],
  [/\(x\d+ over [\dsmh]+\)/g, ""],
  [/^(\s+(?:Normal|Warning)\s+\w+\s+)(\S+)(\s)/gm, "$1{age}$3"],
  [/\b(\d+m\d+s|\d+[sm])( ago\b)/g, "{age}$2"],
  [/\b(\d+m\d+s|\d+[sm])(?=\s|$|\))/gm, "{age}"],
  // As wide as the longest random name, address or age.
  [/[ \t]{2,}/g, "  "],
  [/-{3,}/g, "---"],
  [/ +$/gm, ""],
];

/** Without what no two clusters, or two moments, have in common. */
export function normalizeWorkloads(text: string): string {
  return replacements.reduce(
    (result, [pattern, instead]) => result.replace(pattern, instead),
    text,
  );
}
