import { type OperationName, operationEdits } from "../forms/operation-edits.ts";
import type { GroupMapping } from "../mapping/group-mapping.ts";
import { RuleNode } from "./rule-node.ts";

const kindKey = "x-kubernetes-group-version-kind";

/**
 * OpenAPI version 2 or 3: paths, model names and references, the kinds of operations and models at
 * any depth, and the names and tags of operations.
 */
export function openApiRules(mapping: GroupMapping): RuleNode {
  const anywhere = new RuleNode();
  recurse(anywhere, anywhere);
  anywhere.below("$ref").form = "modelReference";
  const kind = anywhere.below(kindKey);
  kind.below("group").form = "group";
  kind.items = new RuleNode();
  kind.items.below("group").form = "group";
  addOperations(anywhere, mapping);
  const root = new RuleNode();
  root.any = anywhere;
  root.set("paths", mapOf("path", anywhere));
  root.set("definitions", mapOf("modelName", anywhere));
  root.below("components").any = anywhere;
  root.below("components").set("schemas", mapOf("modelName", anywhere));
  return root;
}

/** The kind of an operation has the group of its name. */
function addOperations(anywhere: RuleNode, mapping: GroupMapping): void {
  const plain = new RuleNode().set("operationId", anywhere).set("tags", anywhere);
  anywhere.capture(kindKey).wait("operationId").wait("tags");
  anywhere.choice = {
    choose(captured) {
      const strings = captured.get(kindKey) ?? [];
      const group = strings.find((text) => mapping.swap(text) !== text);
      return group === undefined ? plain : operationRules(anywhere, group, mapping);
    },
  };
}

function operationRules(anywhere: RuleNode, group: string, mapping: GroupMapping): RuleNode {
  const named = (name: OperationName) => {
    const node = recurse(new RuleNode(), anywhere);
    node.edits = (text) => operationEdits(text, { group, name }, mapping);
    return node;
  };
  const tags = recurse(new RuleNode(), anywhere);
  tags.items = named("tag");
  return new RuleNode().set("operationId", named("operationId")).set("tags", tags);
}

/** Fields of an app may have OpenAPI's names; their content has the same rules. */
function recurse(node: RuleNode, anywhere: RuleNode): RuleNode {
  node.any = anywhere;
  node.items = anywhere;
  return node;
}

/** The index of OpenAPI version 3: paths of documents, and their URLs. */
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
