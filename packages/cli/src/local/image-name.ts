/** The parts of the name of an image that tell what is in it. */
export interface ImageName {
  /** The last part of its path: "etcd" of "registry.k8s.io/etcd:3.6.8-0". */
  readonly name: string;
  /** Undefined where it has none; then it is the latest, whichever that is. */
  readonly tag: string | undefined;
}

export function parseImageName(image: string): ImageName {
  const [tagged = ""] = image.split("@");
  const last = tagged.slice(tagged.lastIndexOf("/") + 1);
  const colon = last.indexOf(":");
  if (colon === -1) return { name: last, tag: undefined };
  return { name: last.slice(0, colon), tag: last.slice(colon + 1) };
}
