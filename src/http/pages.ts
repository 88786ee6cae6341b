import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { ERRORS, type ErrorCode, Problem } from '../errors.ts'
import { errorIndexPage, errorPage, PAGE_HEADERS, startPage } from './html.ts'
import type { HttpMetrics } from './metrics.ts'
import { referencePage } from './reference-page.ts'
import type { Route } from './route.ts'

interface PageNeeds {
  readonly metrics: Pick<HttpMetrics, 'render'>
  readonly issuer: { jwks(): unknown } | undefined
  readonly auditKeys: object
}

/**
 * The reference is made in advance, so that no area has to be loaded to serve it; a check compares it with the code.
 */
const DESCRIPTION = new URL('../../openapi.json', import.meta.url)

const ASSETS = [
  ['style.css', 'text/css; charset=utf-8'],
  ['sign-in.js', 'text/javascript; charset=utf-8']
] as const

/**
 * Serves what is no operation of the API: its reference, the page of each error, public keys, numbers for Prometheus.
 */
export function servePages(app: FastifyInstance, { metrics, issuer, auditKeys }: PageNeeds): void {
  // Made once: they are large, and anybody may ask for them.
  let description: Buffer | undefined
  let reference: string | undefined
  const described = () => {
    description ??= readFileSync(DESCRIPTION)
    return description
  }
  const html = (url: string, render: (params: Record<string, string>) => string) =>
    app.get(url, async (request, reply) => {
      reply.headers(PAGE_HEADERS)
      return reply.type('text/html; charset=utf-8').send(render(request.params as Record<string, string>))
    })

  html('/', () => startPage(issuer !== undefined))
  html('/api/docs', () => (reference ??= referencePage(JSON.parse(described().toString()))))
  html('/api/docs/errors', () => errorIndexPage())
  html('/api/docs/errors/:code', ({ code = '' }) => {
    if (!Object.hasOwn(ERRORS, code)) throw new Problem('not_found')
    return errorPage(code as ErrorCode)
  })
  for (const [name, type] of ASSETS) {
    const url = new URL(`../../resources/pages/${name}`, import.meta.url)
    let content: string | undefined
    app.get(`/pages/${name}`, async (_request, reply) => {
      content ??= readFileSync(url, 'utf8')
      return reply.type(type).send(content)
    })
  }
  app.get('/api/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(described())
  )
  app.get('/.well-known/millrace-audit-keys.json', async () => auditKeys)
  if (issuer !== undefined) app.get('/.well-known/jwks.json', async () => issuer.jwks())
  app.get('/metrics', { config: { route: METRICS_ROUTE } }, async (_request, reply) =>
    reply.type('text/plain; version=0.0.4; charset=utf-8').send(await metrics.render())
  )
}

/** Not below `/api`, but guarded like everything that is. */
const METRICS_ROUTE = {
  path: '/metrics',
  operationId: 'getMetrics',
  permission: 'metrics:read',
  withoutDatabase: true
} as Route
