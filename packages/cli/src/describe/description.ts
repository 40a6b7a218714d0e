import type { ObjectTree, TreeOptions } from "./object-tree.ts";
import type { ReferenceReader } from "./references.ts";
import type { TreeObject } from "./tree-node.ts";

export interface DescribeOptions extends TreeOptions {
  readonly namespace: string;
  readonly name: string;
  /** The group of Cluster API's core: another where it has one of its own. */
  readonly group: string;
  readonly machineSets: boolean;
  readonly resourceSets: boolean;
  readonly templates: boolean;
  /** Hears of a kind whose objects this user may not list. */
  readonly onHidden?: (kind: string) => void;
}

/** What is read of a cluster while its tree is made. */
export interface Description {
  readonly tree: ObjectTree;
  readonly options: DescribeOptions;
  readonly references: ReferenceReader;
  readonly machines: readonly TreeObject[];
  /** Objects of a core kind that belong to the cluster. */
  readonly listOwn: (kind: string) => Promise<readonly TreeObject[]>;
}
