# syntax=docker/dockerfile:1
# Built and run by test/image.container.test.ts with buildah, podman and runc, on a stand-in for the first image: no registry was
# reachable, so the node image itself is untried.
#
#   docker build -t colophon .
#   docker run --rm -v colophon:/data colophon init
#   docker run -d --name colophon -p 127.0.0.1:8080:8080 -v colophon:/data --read-only --cap-drop ALL colophon
#
# docs/deployment.md has the rest.

FROM docker.io/library/node:22-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build
# The root of the image: the executable, and the libraries that it is linked with.
RUN install -D dist/colophon /image/usr/local/bin/colophon \
 && for library in $(ldd dist/colophon | grep -o '/[^ ]*'); do install -D "$library" "/image$library"; done \
 && mkdir -p /volume/data

FROM scratch
# `npm run release -- --image` sets both.
ARG VERSION=unreleased
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Colophon" \
      org.opencontainers.image.description="A fast, read-only JSON catalog of books, made from ONIX 3 feeds" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
COPY --from=build /image /
# A new volume gets this folder's owner. There is no user database: nothing needs a name.
COPY --from=build --chown=65532:65532 /volume /
USER 65532:65532
# Temporary files of large checks and imports are in the volume, so the root can be read-only.
ENV PATH=/usr/local/bin \
    TMPDIR=/data \
    HOST=0.0.0.0 \
    PORT=8080 \
    COLOPHON_DB=/data/catalog.db \
    COLOPHON_ADMIN_PORT=9090
WORKDIR /data
VOLUME /data
EXPOSE 8080 9090
# The service stops within 10 seconds, as long as Docker waits.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["colophon", "health"]
ENTRYPOINT ["colophon"]
CMD ["serve"]
