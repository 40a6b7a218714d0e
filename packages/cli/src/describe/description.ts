import type { ObjectTree, TreeOptions } from "./object-tree.ts";
import type { ReferenceReader } from "./references.ts";
import type { TreeObject } from "./tree-node.ts";

export interface DescribeOptions extends TreeOptions {
  readonly namespace: string;
  readonly name: string;
  /** The API group of the core. */
  readonly group: string;
  readonly machineSets: boolean;
  readonly resourceSets: boolean;
  readonly templates: boolean;
  /** Is called with a kind that the user may not list. */
  readonly onHidden?: (kind: string) => void;
}

export interface Description {
  readonly tree: ObjectTree;
  readonly options: DescribeOptions;
  readonly references: ReferenceReader;
  readonly machines: readonly TreeObject[];
  /** Lists the cluster's objects of a core kind. */
  readonly listOwn: (kind: string) => Promise<readonly TreeObject[]>;
}
