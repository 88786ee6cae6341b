import type { AreaBody, AreaNeeds } from '../../area.ts'
import { ConnectorTests } from './connector-tests.ts'
import { connectorRoutes } from './routes.ts'
import { Connectors } from './service.ts'
import { Streams } from './streams.ts'

declare module '../../area.ts' {
  interface Services {
    connectors: Connectors
  }
}

export function connectorsBody(given: AreaNeeds): AreaBody {
  const needs = {
    ...given,
    integration: () => given.service('integration'),
    guard: async () => (await given.service('classification')).guard
  }
  const connectors = new Connectors(needs)
  const tests = new ConnectorTests({ ...needs, connectors })
  const streams = new Streams({ ...needs, connectors, works: (row) => tests.works(row) })
  return {
    routes: connectorRoutes(connectors, tests, streams),
    jobs: { 'connectors.watch': tests.watch },
    service: connectors
  }
}
