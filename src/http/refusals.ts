import type { FastifyRequest } from 'fastify'
import type { Metadata } from '../engines/metadata/index.ts'
import type { Problem } from '../errors.ts'
import type { AuditEntry, AuditTrail } from './audit-trail.ts'
import { requestFacts } from './request.ts'
import { auditOf } from './route.ts'

/**
 * Writes down what was refused: every token that was not accepted, every missing permission, every caller that asked
 * too often, every change that was turned away or failed. A read that found nothing is not a refusal. Waits for the
 * row, because a refusal that left no trace would be a way to probe unseen.
 */
export async function auditRefusal(problem: Problem, request: FastifyRequest, audit: AuditTrail, metadata: Metadata) {
  const entry = refusal(problem, request)
  if (entry !== undefined) await metadata.transaction((tx) => audit.append(tx, entry))
}

function refusal(problem: Problem, request: FastifyRequest): AuditEntry | undefined {
  const { route } = request.routeOptions.config
  const { status, code } = problem
  if (problem.repeated) return undefined
  const facts = { ...requestFacts(request), status, code, changes: null }
  if (status === 401) {
    return { ...facts, action: 'sign-in', resourceType: 'token', resourceId: null, outcome: 'refused' }
  }
  if (route === undefined || (auditOf(route) === undefined && status !== 403 && status !== 429)) return undefined
  const action = auditOf(route) ?? route.operationId
  const [parameter] = Object.values((request.params as Record<string, string> | undefined) ?? {})
  return {
    ...facts,
    action,
    resourceType: auditOf(route) === undefined ? (route.path.split('/')[1] ?? '') : (action.split('.')[0] as string),
    resourceId: parameter?.replaceAll('\0', '').slice(0, 200) ?? null,
    outcome: status >= 500 ? 'failed' : 'refused'
  }
}
