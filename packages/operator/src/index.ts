/**
 * The provider operator: providers of Cluster API declared as objects, installed, changed, upgraded
 * and deleted by reconciling them.
 */
export {};
