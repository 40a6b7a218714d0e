const sentences: Readonly<Record<string, (of: string, kind: string) => string>> = {
  list: (_, kind) => `list or watch objects of kind ${kind}`,
  create: (of, kind) => `create ${of}${withArticle(kind)}`,
  read: (of, kind) => `read ${of}the specified ${kind}`,
  replace: (of, kind) => `replace ${of}the specified ${kind}`,
  patch: (of, kind) => `partially update ${of}the specified ${kind}`,
  delete: (_, kind) => `delete ${withArticle(kind)}`,
  deletecollection: (_, kind) => `delete collection of ${kind}`,
};

/** The description of an operation, such as "read status of the specified Deployment". */
export function describeOperation(verb: string, kind: string, subresource: string): string {
  const of = subresource === "" ? "" : `${subresource} of `;
  return sentences[verb]?.(of, kind) ?? verb;
}

function withArticle(kind: string): string {
  return `${/^[AEIOU]/.test(kind) ? "an" : "a"} ${kind}`;
}
