# syntax=docker/dockerfile:1
# docs/operations.md, "In a container"
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY . .
# Its prepare script builds the server and the pages into dist/. The image brings a Node already.
RUN npm ci --no-audit --no-fund && npm prune --omit=dev --no-audit --no-fund \
  && rm -rf node_modules/node node_modules/.bin node_modules/.cache

FROM node:24.21.0-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production ENVIRONMENT=production PORT=8080 DATA_DIR=/data
COPY package.json openapi.json LICENSE ./
COPY migrations ./migrations
COPY scripts/built.mjs scripts/healthcheck.mjs scripts/verify-audit.mjs scripts/verify-export.mjs ./scripts/
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
RUN mkdir /data && chown 1000:1000 /data
USER 1000:1000
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["node", "scripts/healthcheck.mjs"]
STOPSIGNAL SIGTERM
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=50", "dist/server/main.js"]
