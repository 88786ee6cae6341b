import { SystemSource } from '../common/source.ts'
import { TableSystem } from '../common/tables.ts'
import type { Driver } from '../index.ts'
import { bigQuerySchema, configOf, GOOGLE, placesOf } from './config.ts'
import { bigQuery } from './dialect.ts'
import { BigQuerySpeaker } from './speaker.ts'

export const bigQueryDriver = (servers = GOOGLE): Driver => ({
  schemaFor: bigQuerySchema,
  placesOf,
  async open(given, _, { outbound }) {
    const config = configOf(given)
    const speaker = new BigQuerySpeaker(config, outbound, servers)
    return new SystemSource(new TableSystem(speaker, bigQuery(config.dataset)), outbound)
  }
})
