import type { AreaNeeds } from '../../../area.ts'
import { Questions } from '../../lineage/index.ts'
import { Panels } from './panels.ts'
import { Reader } from './reader.ts'
import { Variables } from './variables.ts'

/** What reads panels, made from what the platform offers. */
export function panelReading(needs: AreaNeeds): { readonly panels: Panels; readonly variables: Variables } {
  const { clock, log, plane, config } = needs
  const reader = new Reader({
    clock,
    plane,
    maxQueryPoints: config.maxQueryPoints,
    lineage: new Questions(needs),
    series: () => needs.series(),
    sourceExists: async (id) => (await needs.service('catalog')).sourceExists(id),
    units: async (...asked) => (await needs.service('catalog')).units(...asked)
  })
  const variables = new Variables({ clock, log, reader })
  return { variables, panels: new Panels({ clock, log, reader, variables }) }
}
