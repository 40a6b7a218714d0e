import {
  applyMergePatch,
  conflictError,
  deepFreeze,
  FieldError,
  invalidError,
  type KubeObject,
  type ObjectMeta,
} from "@rookery/kube";
import type { MergePatch } from "../../src/committer/changes.ts";
import type { CommitterDependencies } from "../../src/committer/committer.ts";

const resource = { group: "example.dev", resource: "things" };

/** One object on a server, for tests: it checks preconditions and keeps the status apart. */
export class FakeServer {
  object: KubeObject;
  readonly patches: { readonly to: "main" | "status"; readonly patch: MergePatch }[] = [];
  reads = 0;
  /** What others do right before the next writes. */
  readonly meanwhile: ((object: KubeObject) => KubeObject)[] = [];

  constructor(object: KubeObject) {
    this.object = deepFreeze(object);
  }

  readonly dependencies: CommitterDependencies<KubeObject> = {
    patch: async (_, patch) => this.#write("main", patch),
    patchStatus: async (_, patch) => this.#write("status", patch),
    get: async () => {
      this.reads++;
      return this.object;
    },
  };

  /** Replaces the object, as others may. */
  set(object: KubeObject): void {
    const resourceVersion = String(Number(this.object.metadata.resourceVersion) + 1);
    this.object = deepFreeze({ ...object, metadata: { ...object.metadata, resourceVersion } });
  }

  #write(to: "main" | "status", patch: MergePatch): KubeObject {
    const change = this.meanwhile.shift();
    if (change) this.set(change(this.object));
    this.patches.push({ to, patch });
    this.#check(patch.metadata as ObjectMeta, to);
    const patched = applyMergePatch(this.object, patch) as KubeObject;
    const { status: _, ...main } = patched;
    this.set(
      to === "status"
        ? { ...this.object, status: patched.status }
        : { ...main, ...(this.object.status !== undefined && { status: this.object.status }) },
    );
    return this.object;
  }

  /** In the order and with the answers of a real server; a status patch's uid is not looked at. */
  #check(metadata: ObjectMeta, to: "main" | "status"): void {
    const { name = "", resourceVersion, uid } = this.object.metadata;
    if ((metadata.resourceVersion ?? resourceVersion) !== resourceVersion) {
      throw conflictError(resource, name, "the object has been modified");
    }
    if (to === "status" || (metadata.uid ?? uid) === uid) return;
    const problem = { badValue: metadata.uid, detail: "field is immutable" };
    const error = new FieldError("FieldValueInvalid", "metadata.uid", problem);
    throw invalidError({ group: resource.group, kind: "Thing" }, name, [error]);
  }
}
