import type { FastifyRequest } from 'fastify'
import type { AuditEntry } from './audit-trail.ts'
import type { Actor } from './permissions.ts'
import type { Route } from './route.ts'
import type { UnderWay } from './under-way.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling; `ANONYMOUS` on public routes. */
    actor: Actor
    /** The token that the caller sent; undefined on public routes. */
    token: string | undefined
    /** Who the caller is now: for answers that last. Throws where the token speaks for nobody any more. */
    callerNow(): Promise<Actor>
    startedAtMs: number
    underWay: UnderWay
  }
  interface FastifyContextConfig {
    route?: Route
  }
}

export const ANONYMOUS: Actor = { id: '', name: '', role: undefined, scopes: [], apiKeyId: undefined }

/** What an audit row says about the request behind it. */
export function requestFacts(
  request: Pick<FastifyRequest, 'actor' | 'ip' | 'headers' | 'id'>
): Pick<AuditEntry, 'user' | 'apiKey' | 'ip' | 'userAgent' | 'requestId'> {
  const { actor } = request
  return {
    user: actor === ANONYMOUS ? null : { id: actor.id, name: actor.name },
    apiKey: actor.apiKeyId === undefined ? null : { id: actor.apiKeyId, name: actor.apiKeyName ?? '' },
    ip: request.ip ?? '', // the address is not known any more once the caller has hung up
    userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
    requestId: request.id
  }
}
