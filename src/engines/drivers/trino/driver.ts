import { SystemSource } from '../common/source.ts'
import { TableSystem } from '../common/tables.ts'
import type { Driver } from '../index.ts'
import { placesOf, settingsOf, trinoSchema } from './config.ts'
import { TRINO } from './dialect.ts'
import { TrinoSpeaker } from './speaker.ts'

/** Trino and Starburst, by the client protocol of the coordinator. */
export const trinoDriver: Driver = {
  schemaFor: trinoSchema,
  placesOf,
  async open(config, source, { outbound }) {
    const speaker = new TrinoSpeaker(settingsOf(config, source), outbound)
    return new SystemSource(new TableSystem(speaker, TRINO), outbound)
  }
}
