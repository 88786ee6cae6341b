import type { AreaBody, AreaNeeds, Services } from '../../area.ts'
import { type Channels, createChannels } from '../../engines/channels/index.ts'
import type { Db } from '../../engines/metadata/index.ts'
import { Wording } from './channels/preview.ts'
import { channelRoutes } from './channels/routes.ts'
import { AlertChannels } from './channels/service.ts'
import { deliveryRoutes } from './deliveries/routes.ts'
import { Deliveries } from './deliveries/service.ts'
import { SendTotals } from './deliveries/totals.ts'
import { Evaluator } from './evaluation/evaluator.ts'
import { Totals } from './evaluation/totals.ts'
import { firedAbout } from './history/fired.ts'
import { type OpenAlerts, openAlertsAbout } from './history/open-about.ts'
import { historyRoutes } from './history/routes.ts'
import { History } from './history/service.ts'
import { inhibitionRoutes } from './inhibitions/routes.ts'
import { Inhibitions } from './inhibitions/service.ts'
import { GroupNotices } from './notifications/group-notices.ts'
import { previewRoutes } from './preview/routes.ts'
import { Previews } from './preview/service.ts'
import { ruleRoutes } from './rules/routes.ts'
import { Rules } from './rules/service.ts'
import { silenceRoutes } from './silences/routes.ts'
import { Silences } from './silences/service.ts'
import { alertWorkers } from './upkeep.ts'

declare module '../../area.ts' {
  interface Services {
    alerts: {
      readonly totals: Totals
      readonly sendTotals: SendTotals
      /** The open alerts that have to do with data and jobs, by their references. */
      openAbout(db: Db, references: readonly string[]): Promise<Map<string, OpenAlerts>>
      /** The alerts of rules that read any of these sources and buckets, which fired within a time; the newest first. */
      firedAbout: typeof firedAbout
      readonly rules: Rules
    }
  }
}

export async function alertsBody(given: AreaNeeds): Promise<AreaBody> {
  const totals = new Totals()
  const sendTotals = new SendTotals()
  const guard = async () => (await given.service('classification')).guard
  const needs = { ...given, notices: new GroupNotices(given), totals, sendTotals, guard }
  const rules = new Rules({ ...needs, lineage: await given.service('lineage') })
  const history = new History(needs)
  const sourceExists = async (id: string) => (await given.service('catalog')).sourceExists(id)
  const evaluator = new Evaluator({ ...needs, sourceExists })
  const previews = new Previews({ ...needs, sourceExists, rules })
  let opened: Promise<Channels> | undefined
  const channels = () => {
    opened ??= given.outbound().then((outbound) => createChannels({ ...given, outbound }))
    return opened
  }
  const units = async (...asked: Parameters<Services['catalog']['units']>) =>
    (await given.service('catalog')).units(...asked)
  return {
    routes: [
      ...ruleRoutes(rules),
      ...previewRoutes(previews),
      ...historyRoutes(history),
      ...deliveryRoutes(new Deliveries(needs)),
      ...silenceRoutes(new Silences(needs)),
      ...inhibitionRoutes(new Inhibitions(needs)),
      ...channelRoutes(new AlertChannels(needs), new Wording(needs))
    ],
    jobs: alertWorkers({ ...needs, evaluator, history, channels, units }),
    service: { totals, sendTotals, openAbout: openAlertsAbout, firedAbout, rules },
    stop: async () => (await opened)?.close()
  }
}
