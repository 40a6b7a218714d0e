import { collectBody, createHttpServer, type Handler } from "@rookery/http";
import { createCertificateAuthority } from "@rookery/pki";

/** Webhooks on loopback that both servers ask; each path behaves in its own way. */
export interface Hook extends AsyncDisposable {
  readonly url: string;
  /** In base64, as a caBundle has it. */
  readonly ca: string;
}

interface Review {
  readonly request: { readonly uid: string; readonly object?: { data?: Record<string, string> } };
}

type Verdict = (review: Review) => object;

const patchOf = (operations: readonly object[]) => ({
  allowed: true,
  patchType: "JSONPatch",
  patch: Buffer.from(JSON.stringify(operations)).toString("base64"),
});

const verdicts: Readonly<Record<string, Verdict>> = {
  "/allow": () => ({ allowed: true }),
  "/deny": () => ({ allowed: false }),
  "/deny-why": () => ({
    allowed: false,
    status: { message: "birds only", reason: "Because", code: 418 },
  }),
  "/warn": () => ({ allowed: true, warnings: ["mind the gap"] }),
  "/label": () => patchOf([{ op: "add", path: "/data/labelled", value: "yes" }]),
  // Sees what other webhooks did: it counts when it is asked again.
  "/count": ({ request }) => {
    const count = Number(request.object?.data?.count ?? "0") + 1;
    return patchOf([{ op: "add", path: "/data/count", value: `${count}` }]);
  },
  "/bad-patch": () => patchOf([{ op: "remove", path: "/nothing/here" }]),
  "/break": () => patchOf([{ op: "replace", path: "/data", value: { "no/key": "x" } }]),
  "/rename": () => patchOf([{ op: "replace", path: "/metadata/name", value: "other" }]),
  "/no-patch-type": () => ({ allowed: true, patch: "W10=" }),
};

export async function startHook(): Promise<Hook> {
  const authority = await createCertificateAuthority({ commonName: "webhooks" });
  const { certificate, key } = await authority.issue({
    commonName: "127.0.0.1",
    ipAddresses: ["127.0.0.1"],
    usages: ["server"],
  });
  const tls = { cert: certificate, key };
  const server = createHttpServer({ handler, tls, onError: () => {} });
  await server.listen({ host: "127.0.0.1", port: 0 });
  return {
    url: server.url,
    ca: Buffer.from(authority.certificate).toString("base64"),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const handler: Handler = async ({ path, body }) => {
  if (path === "/broken") return { status: 500, headers: {}, body: Buffer.from("no bird") };
  const text = Buffer.from(await collectBody(body, { limit: 4_000_000 })).toString();
  if (path === "/nonsense") return { status: 200, headers: {}, body: Buffer.from("nonsense") };
  const review = JSON.parse(text) as Review;
  const verdict = verdicts[path];
  if (!verdict) return { status: 404, headers: {} };
  const uid = path === "/other-uid" ? "x" : review.request.uid;
  const response = { uid, ...verdict(review) };
  const answer = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response };
  return {
    status: 200,
    headers: { "content-type": "application/json" },
    body: Buffer.from(JSON.stringify(answer)),
  };
};
