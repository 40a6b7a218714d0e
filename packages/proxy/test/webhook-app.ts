import { collectBody, createHttpServer, type Handler, type HttpResponse } from "@rookery/http";
import { createCertificateAuthority } from "@rookery/pki";
import { virtualGroup } from "./widgets.ts";

/** The webhooks of an app that knows nothing but its own group. */
export interface WebhookApp extends AsyncDisposable {
  readonly url: string;
  /** What it was asked, as it came. */
  readonly asked: readonly string[];
}

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  // biome-ignore lint/suspicious/noExplicitAny: what an API server asks is known to the test alone
  readonly request: any;
}

export async function startWebhookApp(): Promise<WebhookApp> {
  const asked: string[] = [];
  const authority = await createCertificateAuthority({ commonName: "app" });
  const names = { commonName: "app", dnsNames: ["app.shop.svc"] };
  const leaf = await authority.issue({ ...names, usages: ["server"] });
  const answers = new Map<string, (review: Review) => object>([
    ["/validate", validate],
    ["/mutate", mutate],
    ["/convert", convert],
  ]);
  const handler: Handler = async ({ path, body }): Promise<HttpResponse> => {
    const text = Buffer.from(await collectBody(body, { limit: 1 << 24 })).toString();
    asked.push(`${path} ${text}`);
    const review: Review = JSON.parse(text);
    const { apiVersion, kind } = review;
    const uid = review.request.uid;
    const response = { uid, ...answers.get(path)?.(review) };
    const answer = Buffer.from(JSON.stringify({ apiVersion, kind, response }));
    return { status: 200, headers: { "content-type": "application/json" }, body: answer };
  };
  const tls = { cert: leaf.certificate, key: leaf.key };
  const server = createHttpServer({ handler, tls, onError: (error) => console.error(error) });
  await server.listen({ host: "127.0.0.1", port: 0 });
  return { url: server.url, asked, [Symbol.asyncDispose]: () => server.close({ graceMs: 0 }) };
}

/** Takes only what is in its own group, and never thirteen. */
function validate({ request }: Review): object {
  const { kind, object } = request;
  const why =
    kind.group !== virtualGroup || object?.apiVersion !== `${virtualGroup}/v1`
      ? `${kind.group} is not mine`
      : object.spec?.size === 13 && `no ${virtualGroup}/v1 of size 13`;
  return why ? { allowed: false, status: { message: why } } : { allowed: true };
}

/** Makes every widget a child of itself, so to say: its group is in the patch. */
function mutate({ request }: Review): object {
  const owner = { apiVersion: `${virtualGroup}/v1`, kind: "Widget", name: "shop", uid: "none" };
  const patch = [{ op: "add", path: "/metadata/annotations", value: { owner: owner.apiVersion } }];
  if (request.operation === "CREATE") {
    patch.push({ op: "test", path: "/apiVersion", value: `${virtualGroup}/v1` } as never);
  }
  const encoded = Buffer.from(JSON.stringify(patch)).toString("base64");
  return { allowed: true, patchType: "JSONPatch", patch: encoded };
}

/** Changes nothing but the version. */
function convert({ request }: Review): object {
  const { desiredAPIVersion: apiVersion, objects } = request;
  const convertedObjects = objects.map((object: object) => ({ ...object, apiVersion }));
  return { result: { status: "Success" }, convertedObjects };
}
