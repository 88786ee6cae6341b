import type { AreaBody, AreaNeeds } from '../../area.ts'
import { Guard } from './clearance/guard.ts'
import { LabelCache } from './clearance/label-cache.ts'
import { MaskedReads } from './clearance/masked-reads.ts'
import { clearanceRoutes } from './clearance/routes.ts'
import { Clearances } from './clearance/service.ts'
import { followWorker } from './inheritance/follower.ts'
import { FOLLOW_JOB } from './inheritance/marks.ts'
import { inheritanceRoutes } from './inheritance/routes.ts'
import { Inheritance } from './inheritance/service.ts'
import { settle } from './inheritance/settling.ts'
import { labelWarnings } from './label-warnings.ts'
import { classificationRoutes } from './routes.ts'
import { Classification } from './service.ts'
import { suggestionRoutes } from './suggestions/routes.ts'
import { Scans } from './suggestions/scans.ts'
import { Suggestions } from './suggestions/service.ts'
import { UPLOAD_JOB, Uploads, uploadWorker } from './suggestions/uploads.ts'

declare module '../../area.ts' {
  interface Services {
    classification: Classification & {
      readonly uploads: Uploads
      readonly guard: Guard
      /** See `settling.ts`. */
      settle(): Promise<boolean>
    }
  }
}

export function classificationBody(needs: AreaNeeds): AreaBody {
  const cache = new LabelCache(needs)
  const guard = new Guard({ cache, masked: new MaskedReads(needs), outputsOf: (id) => outputsOf(needs, id) })
  const classification = new Classification({ ...needs, cache })
  const scans = new Scans(needs)
  const suggestions = new Suggestions({ ...needs, classification, guard })
  const uploads = new Uploads(needs)
  const inheritance = new Inheritance({ ...needs, classification })
  return {
    routes: [
      ...classificationRoutes(classification, (actor, body) => labelWarnings({ ...needs, guard }, actor, body)),
      ...clearanceRoutes(new Clearances({ ...needs, classification })),
      ...suggestionRoutes({ suggestions, scans, guard, ending: needs.ending }),
      ...inheritanceRoutes(inheritance)
    ],
    service: Object.assign(classification, { uploads, guard, settle: () => settle({ ...needs, cache }) }),
    jobs: { [UPLOAD_JOB]: uploadWorker(needs, scans), [FOLLOW_JOB]: followWorker(needs) },
    start: async () => {
      cache.start()
      uploads.start()
    },
    stop: () => uploads.stop()
  }
}

/** Asked of the area of pipelines when somebody reads the output of one, not before. */
async function outputsOf({ metadata }: AreaNeeds, pipelineId: string): Promise<readonly string[]> {
  const { outputReferences } = await import('../pipelines/index.ts')
  return outputReferences(metadata.db, pipelineId)
}
