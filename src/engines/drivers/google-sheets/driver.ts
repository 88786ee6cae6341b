import { SystemSource } from '../common/source.ts'
import type { Driver } from '../index.ts'
import { configOf, GOOGLE_SHEETS, placesOf, sheetsSchema } from './config.ts'
import { SheetsSystem } from './system.ts'

export const sheetsDriver = (servers = GOOGLE_SHEETS): Driver => ({
  schemaFor: sheetsSchema,
  placesOf,
  async open(given, _, { outbound }) {
    return new SystemSource(new SheetsSystem(configOf(given), outbound, servers), outbound)
  }
})
