import { RuleNode } from "./rule-node.ts";

/**
 * An OpenAPI document, version 2 or 3: paths, names of models and what refers to them, and the
 * kinds that operations and models are about, at any depth.
 */
export function openApiRules(): RuleNode {
  const anywhere = new RuleNode();
  anywhere.any = anywhere;
  anywhere.items = anywhere;
  anywhere.below("$ref").form = "modelReference";
  const kind = anywhere.below("x-kubernetes-group-version-kind");
  kind.below("group").form = "group";
  kind.items = new RuleNode();
  kind.items.below("group").form = "group";
  const root = new RuleNode();
  root.any = anywhere;
  root.set("paths", mapOf("path", anywhere));
  root.set("definitions", mapOf("modelName", anywhere));
  root.below("components").any = anywhere;
  root.below("components").set("schemas", mapOf("modelName", anywhere));
  return root;
}

/** The index of OpenAPI version 3: paths of documents, and their URLs, renamed as they are given. */
export function openApiIndexRules(renameUrl: (url: string) => string): RuleNode {
  const document = new RuleNode();
  document.below("serverRelativeURL").edits = (url) => {
    const text = renameUrl(url);
    return text === url ? [] : [{ start: 0, end: url.length, text }];
  };
  return new RuleNode().set("paths", mapOf("path", document));
}

function mapOf(keyForm: "path" | "modelName", value: RuleNode): RuleNode {
  const map = new RuleNode();
  map.keyForm = keyForm;
  map.any = value;
  return map;
}
