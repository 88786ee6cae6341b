import { SystemSource } from '../common/source.ts'
import type { Driver } from '../index.ts'
import { placesOf, searchSchema, settingsOf } from './config.ts'
import { SearchSystem } from './system.ts'

/** Elasticsearch and what it became elsewhere; they differ in how one goes through many documents. */
export function searchDriver(kind: 'elasticsearch' | 'opensearch'): Driver {
  return {
    schemaFor: searchSchema,
    placesOf,
    async open(config, source, needs) {
      const system = new SearchSystem(settingsOf(config, source), needs, kind === 'elasticsearch')
      return new SystemSource(system, needs.outbound)
    }
  }
}
