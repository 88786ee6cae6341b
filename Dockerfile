# Others can be named where these can't be had: Debian 12 or later, the first with npm.
ARG NODE_IMAGE=node:26-slim
ARG BASE_IMAGE=debian:trixie-slim

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The package `node` brings the very Node version this is tested on. It leaves a second copy of it behind.
RUN npm ci --omit=dev && rm -rf node_modules/node/node_modules

FROM ${BASE_IMAGE}
RUN apt-get update \
  && apt-get install -y --no-install-recommends libatomic1 libstdc++6 \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin millrace \
  && install -d -o millrace -g millrace -m 700 /data
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY . .
# Compiled code is kept here between starts of one container.
RUN install -d -o millrace -g millrace node_modules/.cache/millrace
ENV PATH=/app/bin:/app/node_modules/.bin:$PATH HOST=0.0.0.0 DATA_DIR=/data
USER millrace
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=5s --start-period=20s CMD ["node", "-e", \
  "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/api/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/app/bin/millrace"]
CMD ["serve"]
