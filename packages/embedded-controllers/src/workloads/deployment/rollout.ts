import type { DeploymentStatus } from "@rookery/api";
import { kinds } from "../shared/kinds.ts";
import { writerOf } from "../shared/object-writer.ts";
import type { Deployment, ReplicaSet } from "../shared/objects.ts";
import type { Scope } from "../shared/workload-context.ts";
import { conditionOf, type Statement, withCondition } from "./conditions.ts";
import { findNew } from "./replica-sets.ts";
import { type Annotations, revisionAnnotation } from "./revisions.ts";

/** A Deployment and its ReplicaSets during one reconcile; what is written takes their place. */
export class Rollout {
  readonly scope: Scope;
  deployment: Deployment;
  #replicaSets: readonly ReplicaSet[];

  constructor(deployment: Deployment, replicaSets: readonly ReplicaSet[], scope: Scope) {
    this.deployment = deployment;
    this.#replicaSets = replicaSets;
    this.scope = scope;
  }

  get all(): readonly ReplicaSet[] {
    return this.#replicaSets;
  }

  /** The one with the wanted template, where there is one. */
  get newest(): ReplicaSet | undefined {
    return findNew(this.deployment, this.#replicaSets);
  }

  /** All others. */
  get old(): readonly ReplicaSet[] {
    const { newest } = this;
    return this.#replicaSets.filter((set) => set !== newest);
  }

  async createReplicaSet(replicaSet: ReplicaSet): Promise<ReplicaSet> {
    const created = await writerOf(this.scope, kinds.replicaSets).create(replicaSet);
    this.#replicaSets = [...this.#replicaSets, created];
    return created;
  }

  async updateReplicaSet(replicaSet: ReplicaSet): Promise<ReplicaSet> {
    const updated = await writerOf(this.scope, kinds.replicaSets).update(replicaSet);
    this.#replicaSets = this.#replicaSets.map((set) =>
      set.metadata.uid === updated.metadata.uid ? updated : set,
    );
    return updated;
  }

  async updateStatus(status: DeploymentStatus, annotations?: Annotations): Promise<void> {
    const { deployment } = this;
    const changed = annotations
      ? { ...deployment, metadata: { ...deployment.metadata, annotations } }
      : deployment;
    this.deployment = await writerOf(this.scope, kinds.deployments).updateStatus(changed, status);
  }

  /** Writes the wanted revision and a condition where either changed. */
  async writeRevision(revision: string, statement?: Statement): Promise<void> {
    const { status, metadata } = this.deployment;
    const isNews = metadata.annotations?.[revisionAnnotation] !== revision;
    if (!isNews && statement === undefined) return;
    const annotations = { ...metadata.annotations, [revisionAnnotation]: revision };
    const noted = statement ? { ...status, conditions: this.conditionsWith(statement) } : status;
    await this.updateStatus(noted, annotations);
  }

  conditionsWith(statement: Statement) {
    const condition = conditionOf(statement, this.scope.context.now());
    return withCondition(this.deployment.status.conditions ?? [], condition);
  }
}
