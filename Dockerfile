# The image of Rookery: the bundled command on a Node without a shell, as an ordinary user. It writes
# nothing to its own files, so that its root file system may be read-only.
#
#   npm run bundle && docker build --tag rookery:0.0.0 .
#
# `npm run image` makes the same without Docker, with the Node of this machine.
FROM gcr.io/distroless/nodejs24-debian13:nonroot
COPY packages/cli/dist /app
ENV PATH=/nodejs/bin
ENV HOME=/home/nonroot
ENV NODE_ENV=production
USER 65532:65532
WORKDIR /app
ENTRYPOINT ["/nodejs/bin/node", "/app/rookery.cjs"]
