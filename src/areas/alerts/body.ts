import type { AreaBody, AreaNeeds } from '../../area.ts'
import { Wording } from './channels/preview.ts'
import { channelRoutes } from './channels/routes.ts'
import { AlertChannels } from './channels/service.ts'
import { Evaluator } from './evaluation/evaluator.ts'
import { Totals } from './evaluation/totals.ts'
import { historyRoutes } from './history/routes.ts'
import { History } from './history/service.ts'
import { noNotices } from './notices.ts'
import { previewRoutes } from './preview/routes.ts'
import { Previews } from './preview/service.ts'
import { ruleRoutes } from './rules/routes.ts'
import { Rules } from './rules/service.ts'
import { alertWorkers } from './upkeep.ts'

declare module '../../area.ts' {
  interface Services {
    alerts: { readonly totals: Totals }
  }
}

export async function alertsBody(given: AreaNeeds): Promise<AreaBody> {
  const totals = new Totals()
  const needs = { ...given, notices: noNotices, totals }
  const rules = new Rules(needs)
  const history = new History(needs)
  const sourceExists = async (id: string) => (await given.service('catalog')).sourceExists(id)
  const evaluator = new Evaluator({ ...needs, sourceExists })
  const previews = new Previews({ ...needs, sourceExists, rules })
  return {
    routes: [
      ...ruleRoutes(rules),
      ...previewRoutes(previews),
      ...historyRoutes(history),
      ...channelRoutes(new AlertChannels(needs), new Wording(needs))
    ],
    jobs: alertWorkers({ ...needs, evaluator, history }),
    service: { totals }
  }
}
