import { ListQuery, Page } from '../../../http/paging.ts'
import { Id, Nullable, OneOf, Timestamp } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'

const LogLine = Type.Object(
  {
    id: Id('line', 'line'),
    time: Timestamp('When it was said'),
    level: OneOf(['info', 'warn', 'error'], 'How bad it is'),
    nodeId: Nullable(Type.String({ description: 'The node that says it; null for the run as a whole' })),
    message: Type.String(),
    runId: Id('run', 'run')
  },
  {
    $id: 'PipelineLogLine',
    examples: [
      {
        id: 'line_01kb8y2m6ze8r4n0c5t7w9q3fd',
        time: '2026-03-09T13:00:00.000Z',
        level: 'warn',
        nodeId: 'readings',
        message: 'The broker does not answer (unreachable); trying again',
        runId: 'run_01kb8y2m6ze8r4n0c5t7w9q3fd'
      }
    ]
  }
)
export type LogLine = Static<typeof LogLine>

export const LINE_ID = '^line_[0-9a-z]{26}$'

export const LogQuery = ListQuery(
  ['time'],
  {
    after: Type.Optional(
      Type.String({
        maxLength: 64,
        pattern: LINE_ID,
        description: 'Of events: only those after this line, from the oldest on; `Last-Event-ID` says the same'
      })
    )
  },
  '-time'
)
export type LogQuery = Static<typeof LogQuery>
export const LogPage = Page('logs', LogLine)
