# The image of Rookery: the bundled command on a Node without a shell, as an ordinary user. It writes
# nothing to its own files, so that its root file system may be read-only.
#
#   npm run bundle && docker build --tag rookery:0.0.0 .
#
# An image that is published names its base by a digest; without one the build fails:
#
#   docker build --build-arg PUBLISH=1 --build-arg BASE=gcr.io/distroless/nodejs24-debian13@sha256:… .
#
# `npm run image` makes the same without Docker, with the Node and the libraries that are locked.
ARG BASE=gcr.io/distroless/nodejs24-debian13:nonroot

FROM ${BASE} AS checked
ARG BASE
ARG PUBLISH=0
COPY scripts/check-base.mjs /tmp/check-base.mjs
RUN ["/nodejs/bin/node", "/tmp/check-base.mjs"]

FROM ${BASE}
COPY --from=checked /tmp/base /app/base
COPY packages/cli/dist /app
ENV PATH=/nodejs/bin
ENV HOME=/home/nonroot
ENV NODE_ENV=production
USER 65532:65532
WORKDIR /app
ENTRYPOINT ["/nodejs/bin/node", "/app/rookery.cjs"]
