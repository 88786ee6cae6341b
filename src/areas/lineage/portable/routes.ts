import { arriving } from '../../../http/intake.ts'
import { perform, type Route, read, StreamAnswer } from '../../../http/route.ts'
import { Type } from '../../../http/type.ts'
import { ImportResult } from './schema.ts'
import type { Portable } from './service.ts'

const NDJSON = 'application/x-ndjson'
const Lines = Type.String({
  description: 'Lines of JSON; the first has the type `lineage` and the version of the form'
})

export function portableRoutes(portable: Portable): Route[] {
  return [
    read(
      {
        path: '/lineage/backup',
        operationId: 'exportLineage',
        summary: 'Get everything that the lineage knows as a file',
        description:
          'A line for each node, job, set of runs that say the same, name and edge drawn by hand, also those of the past. `POST /api/lineage/import` takes it in. What is told while it is made may be missing.',
        permission: 'lineage:read',
        answer: Lines,
        produces: NDJSON
      },
      () => new StreamAnswer(NDJSON, portable.export())
    ),
    perform(
      {
        method: 'POST',
        path: '/lineage/import',
        operationId: 'importLineage',
        summary: 'Add what another server knows of the lineage',
        description:
          'Takes what `GET /api/lineage/backup` gives, of any size. It is added to what is known here: the same file again changes nothing, and an empty server then answers as the other one does. Look at `rejected`: good lines are taken in though others are not. What would change a link that holds here needs the clearance for the data at both of its ends.',
        permission: 'lineage:write',
        audit: 'lineage-import.create',
        stream: { mediaType: NDJSON, schema: { type: 'string' } },
        answer: ImportResult,
        errors: ['body_incomplete']
      },
      ({ actor, raw }) => portable.import(actor, arriving(raw))
    )
  ]
}
