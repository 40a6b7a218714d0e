import { Context, collectBody } from "@rookery/http";
import type { VCenter } from "../src/vim/connect.ts";
import type { Credentials } from "../src/vim/session.ts";

interface TaggedObject {
  readonly type: string;
  readonly id: string;
}

/** Makes a tag on a vCenter, by the REST API itself. */
export async function makeTag(vcenter: VCenter, { username, password }: Credentials) {
  const basic = Buffer.from(`${username}:${password}`).toString("base64");
  const session = await post(vcenter, "session", { authorization: `Basic ${basic}` });
  const headers = { "vmware-api-session-id": String(session) };
  const category = { name: "rookery", cardinality: "MULTIPLE", associable_types: [] };
  const category_id = await post(vcenter, "tagging/category", headers, { create_spec: category });
  const tag = { name: "a", category_id };
  const id = String(await post(vcenter, "tagging/tag", headers, { create_spec: tag }));
  return {
    id,
    /** What it is attached to. */
    async objects(): Promise<readonly TaggedObject[]> {
      const path = "tagging/tag-association?~action=list-attached-objects-on-tags";
      const [found] = (await post(vcenter, path, headers, { tag_ids: [id] })) as [
        { readonly object_ids: readonly TaggedObject[] },
      ];
      return found.object_ids;
    },
  };
}

async function post(
  { handler }: VCenter,
  target: string,
  headers: Readonly<Record<string, string>>,
  body: object = {},
): Promise<unknown> {
  const [path, query = ""] = target.split("?");
  const response = await handler({
    method: "POST",
    path: `/rest/com/vmware/cis/${path}`,
    query,
    headers: { ...headers, "content-type": "application/json" },
    body: Buffer.from(JSON.stringify(body)),
    signal: new AbortController().signal,
    context: Context.empty,
  });
  const text = Buffer.from(await collectBody(response.body, { limit: 65_536 })).toString();
  if (response.status !== 200) throw new Error(`could not post to ${target}: ${response.status}`);
  return (JSON.parse(text) as { readonly value: unknown }).value;
}
