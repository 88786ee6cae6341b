import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Route } from './route.ts'

/** How long a browser may remember that it was allowed to ask. */
const REMEMBERED_SECONDS = 600

type Sites = NonNullable<Route['sites']>

/** Lets pages of the sites that an operation names read what it answers, refusals included, and no others. */
export function letSitesRead(sites: Sites) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await allow(sites, request, reply)
  }
}

/**
 * Answers the question that a browser asks before a page of another site may send JSON. Where the site is not named, or
 * nobody asks this, nothing is answered here.
 */
export function answerPreflight(routes: readonly Route[]) {
  const open = routes.filter(({ sites }) => sites !== undefined)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (request.method !== 'OPTIONS') return
    const method = request.headers['access-control-request-method']
    const sites = open.find((route) => route.method === method)?.sites
    if (sites === undefined || !(await allow(sites, request, reply))) return
    reply.code(204).headers({
      'access-control-allow-methods': open.map((route) => route.method).join(', '),
      'access-control-allow-headers': 'content-type',
      'access-control-max-age': String(REMEMBERED_SECONDS)
    })
    await reply.send()
  }
}

async function allow(sites: Sites, { headers, params }: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  reply.header('vary', 'origin')
  const { origin } = headers
  if (origin === undefined || !(await sites(params)).includes(origin)) return false
  reply.header('access-control-allow-origin', origin)
  return true
}
