import type { AreaBody, AreaNeeds } from '../../area.ts'
import { Claims } from './claims/claims.ts'
import { columnRoutes } from './columns/routes.ts'
import { ColumnQuestions } from './columns/service.ts'
import { differenceRoutes } from './difference/routes.ts'
import { Differences } from './difference/service.ts'
import { OutsideBuckets } from './events/outside-buckets.ts'
import { eventRoutes } from './events/routes.ts'
import { Events } from './events/service.ts'
import { exportRoutes } from './export/routes.ts'
import { Exports } from './export/service.ts'
import { Questions } from './graph/questions.ts'
import { graphRoutes } from './graph/routes.ts'
import { impactRoutes } from './impact/routes.ts'
import { Impacts } from './impact/service.ts'
import { Lineage } from './lineage.ts'
import { requireEndsWith } from './links/levels.ts'
import { linkRoutes } from './links/routes.ts'
import { Links } from './links/service.ts'
import { nodeRoutes } from './nodes/routes.ts'
import { Nodes } from './nodes/service.ts'
import { portableRoutes } from './portable/routes.ts'
import { Portable } from './portable/service.ts'
import { Sender } from './sending/sender.ts'
import { sqlRoutes } from './sql/routes.ts'
import type { SqlStatements } from './sql/service.ts'
import { pruneLineage } from './upkeep/prune.ts'

declare module '../../area.ts' {
  interface Services {
    lineage: Lineage
  }
}

export function lineageBody(needs: AreaNeeds): AreaBody {
  const { clock, config } = needs
  const claims = new Claims()
  const { openLineageUrl: url, openLineageKey: key } = config
  const collector = url === undefined ? undefined : { url, ...(key !== undefined && { key }) }
  const sender = new Sender({ ...needs, collector })
  const lineage = new Lineage({ clock, claims, passOn: (...told) => sender.send(...told) })
  const classification = () => needs.service('classification')
  const requireEnds = requireEndsWith(classification)
  const buckets = new OutsideBuckets(needs)
  let reading: Promise<SqlStatements> | undefined
  const statements = () => {
    reading ??= import('./sql/service.ts').then(
      (service) => new service.SqlStatements({ ...needs, lineage, classification })
    )
    return reading
  }
  return {
    routes: [
      ...graphRoutes(new Questions(needs)),
      ...columnRoutes(new ColumnQuestions(needs)),
      ...differenceRoutes(new Differences(needs)),
      ...impactRoutes(new Impacts(needs)),
      ...exportRoutes(new Exports(needs)),
      ...nodeRoutes(new Nodes(needs)),
      ...linkRoutes(new Links({ ...needs, requireEnds })),
      ...eventRoutes(
        new Events({
          ...needs,
          lineage,
          classification,
          naming: () => buckets.naming(),
          readStatement: async (...asked) => (await statements()).read(...asked)
        })
      ),
      ...sqlRoutes(statements),
      ...portableRoutes(new Portable({ ...needs, claims, requireEnds, classification }))
    ],
    jobs: {
      'lineage.prune': pruneLineage({ ...needs, claims, keepDays: config.lineageKeepDays }),
      'lineage.send': sender.worker
    },
    service: lineage,
    stop: async () => (await reading)?.close()
  }
}
