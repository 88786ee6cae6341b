import type { FastifyRequest } from 'fastify'
import type { Clock } from '../engines/clock.ts'
import type { Log } from '../engines/log.ts'
import type { Metadata } from '../engines/metadata/index.ts'
import type { Problem } from '../errors.ts'
import { addressGroup } from './address-group.ts'
import { type AuditEntry, type AuditTrail, fieldChanges } from './audit-trail.ts'
import { RefusalSums } from './refusal-sums.ts'
import { ANONYMOUS, requestFacts } from './request.ts'
import { auditOf, type Route, resourceOf } from './route.ts'

interface Needs {
  readonly audit: AuditTrail
  readonly metadata: Metadata
  readonly clock: Clock
  readonly log: Pick<Log, 'error'>
}

/**
 * Writes down what was refused: every token that was not accepted, every missing permission, every caller that asked
 * too often, every change that was turned away or failed. A read that found nothing is not a refusal. Waits for the
 * row, because a refusal that left no trace would be a way to probe unseen. Of callers that were not let in, each address
 * leaves some rows, and then a sum: they could fill the trail for ever.
 */
export class Refusals {
  readonly #needs: Needs
  readonly #sums: RefusalSums

  constructor(needs: Needs) {
    this.#needs = needs
    const report = (error: unknown) => needs.log.error({ err: error }, 'a sum of refusals was not written')
    this.#sums = new RefusalSums({ clock: needs.clock, write: (entry) => this.#write(entry), report })
  }

  async note(problem: Problem, request: FastifyRequest): Promise<void> {
    const entry = refusal(problem, request)
    if (entry === undefined) return
    if (request.actor === ANONYMOUS) await this.#sums.note(entry, addressGroup(entry.ip))
    else await this.#write(entry)
  }

  /** Writes down the refusals that were only counted so far. */
  close(): Promise<void> {
    return this.#sums.close()
  }

  async #write(entry: AuditEntry): Promise<void> {
    const { audit, metadata } = this.#needs
    await metadata.transaction((tx) => audit.append(tx, entry))
  }
}

function refusal(problem: Problem, request: FastifyRequest): AuditEntry | undefined {
  const { route } = request.routeOptions.config
  const { status, code } = problem
  if (problem.repeated) return undefined
  const changes = problem.audited === undefined ? null : fieldChanges({}, problem.audited)
  const facts = { ...requestFacts(request), ...problem.bearer, status, code, changes }
  if (status === 401) {
    return { ...facts, action: 'sign-in', resourceType: 'token', resourceId: null, outcome: 'refused' }
  }
  if (route === undefined || (auditOf(route) === undefined && status !== 403 && status !== 429)) return undefined
  const action = auditOf(route) ?? route.operationId
  return { ...facts, action, ...refusedResource(route, request), outcome: status >= 500 ? 'failed' : 'refused' }
}

/** What the caller was kept from: the resource that the address names or, without one, the kind of what was asked for. */
function refusedResource(route: Route, { params }: FastifyRequest): Pick<AuditEntry, 'resourceType' | 'resourceId'> {
  const resource = resourceOf(route)
  if (resource === undefined) {
    const resourceType = auditOf(route)?.split('.')[0] ?? route.path.split('/')[1] ?? ''
    return { resourceType, resourceId: null }
  }
  const name = (params as Record<string, unknown> | undefined)?.[resource.by]
  return { resourceType: resource.kind, resourceId: name === undefined ? null : asNamed(String(name)) }
}

const asNamed = (name: string) => name.replaceAll('\0', '').slice(0, 200)
