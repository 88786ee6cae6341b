import { Problem } from '../../../errors.ts'
import type { PipelineRow } from './rows.ts'

export const PIPELINE_STATES = ['stopped', 'starting', 'running', 'stopping', 'completed', 'failed'] as const
export type PipelineState = (typeof PIPELINE_STATES)[number]

const AT_REST: readonly PipelineState[] = ['stopped', 'completed', 'failed']

const ALLOWED_FROM = {
  start: AT_REST,
  stop: ['starting', 'running'],
  update: AT_REST,
  delete: AT_REST,
  feed: ['running'],
  replay: ['running', ...AT_REST]
} as const satisfies Record<string, readonly PipelineState[]>

/** Refuses an operation that a pipeline in this state does not take. */
export function requireState({ status }: Pick<PipelineRow, 'status'>, operation: keyof typeof ALLOWED_FROM): void {
  const allowedFrom: readonly PipelineState[] = ALLOWED_FROM[operation]
  if (allowedFrom.includes(status)) return
  const detail = `The pipeline is ${status}; ${operation} is possible when it is ${allowedFrom.join(' or ')}.`
  throw new Problem('illegal_transition', { detail, members: { currentStatus: status, allowedFrom, operation } })
}
