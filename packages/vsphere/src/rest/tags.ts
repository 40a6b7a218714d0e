import { TagsError } from "../errors.ts";
import type { ManagedObjectReference } from "../vim/managed-object.ts";
import type { RestSession } from "./rest-session.ts";

interface Outcome {
  readonly success?: boolean;
  readonly error_messages?: readonly { readonly default_message?: string }[];
}

/** Attaches tags to an object; those that it has already are no error. Errors: TagsError. */
export async function attachTags(
  rest: Pick<RestSession, "post">,
  { type, value: id }: ManagedObjectReference,
  tagIds: readonly string[],
): Promise<void> {
  const path = "/rest/com/vmware/cis/tagging/tag-association";
  const query = "~action=attach-multiple-tags-to-object";
  const body = { object_id: { type, id }, tag_ids: tagIds };
  const { success, error_messages = [] } = (await rest.post(path, query, body)) as Outcome;
  if (success) return;
  const why = error_messages.map(({ default_message }) => default_message).filter(Boolean);
  throw new TagsError(tagIds, why.join("; ") || "the vCenter gives no reason");
}
