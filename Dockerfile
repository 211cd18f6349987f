# syntax=docker/dockerfile:1
# docs/operations.md, "In a container"
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY . .
# Its prepare script builds the pages into dist/.
RUN npm ci --no-audit --no-fund && mkdir -p dist

FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# The image brings its own Node, so the one of the npm package is left out.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/node node_modules/.bin/node

FROM node:24.21.0-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production ENVIRONMENT=production PORT=8080 DATA_DIR=/data
COPY package.json openapi.json LICENSE ./
COPY migrations ./migrations
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY scripts ./scripts
COPY src ./src
RUN mkdir /data && chown 1000:1000 /data
USER 1000:1000
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["node", "scripts/healthcheck.mjs"]
STOPSIGNAL SIGTERM
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=50", "src/main.ts"]
