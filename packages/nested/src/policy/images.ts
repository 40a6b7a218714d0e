/** A part of a repository's name, or its registry. */
const part = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?(?::[0-9]{1,5})?$/;

/** The repository of an image: its name without tag and digest. */
export function repositoryOf(image: string): string {
  const [name = ""] = image.split("@");
  const colon = name.lastIndexOf(":");
  return colon > name.lastIndexOf("/") ? name.slice(0, colon) : name;
}

/**
 * Whether an image is one of the patterns: a repository for any tag and digest of it, an image for
 * exactly that one, or "registry.example.com/kubernetes/*" for all repositories below.
 */
export function isAllowedImage(image: string, patterns: readonly string[]): boolean {
  const repository = repositoryOf(image);
  if (!repository.split("/").every((one) => part.test(one))) return false;
  return patterns.some((pattern) => {
    if (pattern === image || pattern === repository) return true;
    return pattern.endsWith("/*") && repository.startsWith(pattern.slice(0, -1));
  });
}
