import type { FieldError } from '../../../errors.ts'
import type { EdgeRow } from '../migrations.ts'
import { parseNode } from '../references.ts'

/** What an edge between two nodes is; or what is wrong with them. */
export function typeOf(from: string, to: string): EdgeRow['type'] | FieldError {
  const [source, target] = [parseNode(from), parseNode(to)]
  if ('problem' in source) return { pointer: '/from', message: source.problem }
  if ('problem' in target) return { pointer: '/to', message: target.problem }
  if (from === to) return { pointer: '/to', message: 'must be another than from' }
  if (source.kind !== 'job') return target.kind === 'job' ? 'reads' : 'links'
  if (target.kind !== 'job') return 'writes'
  return { pointer: '/to', message: 'must be data where from is a job: jobs are linked by what they share' }
}
