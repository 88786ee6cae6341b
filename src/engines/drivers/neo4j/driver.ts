import { SystemSource } from '../common/source.ts'
import type { Driver } from '../index.ts'
import { neo4jSchema, placesOf, settingsOf } from './config.ts'
import { Neo4jSystem } from './system.ts'

export const neo4jDriver: Driver = {
  schemaFor: neo4jSchema,
  placesOf,
  async open(config, source, { outbound }) {
    return new SystemSource(new Neo4jSystem(settingsOf(config, source), outbound), outbound)
  }
}
