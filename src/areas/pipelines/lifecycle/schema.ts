import { Closed, Nullable, OneOf } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import { Pipeline } from '../definition/schema.ts'
import { RunWarning } from '../runs/schema.ts'

/** As a start answers it. */
export const StartedPipeline = Type.Object(
  {
    ...Pipeline.properties,
    warnings: Type.Array(RunWarning, { description: 'What is hardly meant, such as a reference that matches nothing' })
  },
  { $id: 'StartedPipeline' }
)
export type StartedPipeline = Static<typeof StartedPipeline>

/** Also null, for requests without a body. */
export const StartBody = Nullable(
  Closed(
    {
      from: Type.Optional(
        OneOf(
          ['checkpoint', 'beginning'],
          '`checkpoint`, if not said, goes on where the run before it ended; `beginning` forgets that'
        )
      )
    },
    { $id: 'PipelineStart' }
  )
)
