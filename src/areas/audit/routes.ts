import { preferredType } from '../../http/accept.ts'
import { ListQuery } from '../../http/paging.ts'
import { type Route, read, StreamAnswer } from '../../http/route.ts'
import {
  Activity,
  ActivityParams,
  ActivityQuery,
  AuditPage,
  AuditQuery,
  Checkpoints,
  NEWEST_FIRST,
  VerificationAnswer
} from './schema.ts'
import type { Audit } from './service.ts'

const CSV = 'text/csv'
const NDJSON = 'application/x-ndjson'

export function auditRoutes(audit: Audit): Route[] {
  return [
    read(
      {
        path: '/audit/logs',
        operationId: 'listAuditLogs',
        summary: 'List what was changed, refused and failed',
        description:
          'With `Accept: text/csv` or `application/x-ndjson` everything that the filters let through is exported, oldest first, with the hashes that prove it.',
        permission: 'audit:admin',
        query: AuditQuery,
        answer: AuditPage,
        alsoProduces: [CSV, NDJSON],
        errors: ['not_acceptable']
      },
      ({ query, headers }) => {
        const type = preferredType(headers.accept, ['application/json', CSV, NDJSON])
        if (type === 'application/json') return audit.list(query)
        return new StreamAnswer(type, audit.export(query, type === CSV ? 'csv' : 'ndjson'))
      }
    ),
    read(
      {
        path: '/audit/users/:id/activity',
        operationId: 'getUserActivity',
        summary: 'Show what one user did, with counts per day and action',
        permission: 'audit:admin',
        params: ActivityParams,
        query: ActivityQuery,
        answer: Activity
      },
      ({ params, query }) => audit.activity(params.id, query)
    ),
    read(
      {
        path: '/audit/verify',
        operationId: 'verifyAudit',
        summary: 'Check that no audit row was changed, removed, added or cut off',
        permission: 'audit:admin',
        answer: VerificationAnswer,
        errors: ['busy']
      },
      () => audit.verify()
    ),
    read(
      {
        path: '/audit/checkpoints',
        operationId: 'listAuditCheckpoints',
        summary: 'List the signed checkpoints of the audit trail',
        description:
          'Keep them elsewhere: they prove later that nothing before them was altered. The keys that signed them are at `/.well-known/millrace-audit-keys.json`.',
        permission: 'audit:admin',
        query: ListQuery(['time'], {}, NEWEST_FIRST),
        answer: Checkpoints
      },
      ({ query }) => audit.checkpoints(query)
    )
  ]
}
