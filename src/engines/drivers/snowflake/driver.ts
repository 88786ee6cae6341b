import { SystemSource } from '../common/source.ts'
import { TableSystem } from '../common/tables.ts'
import type { Driver } from '../index.ts'
import { PORT, placesOf, settingsOf, snowflakeSchema } from './config.ts'
import { SNOWFLAKE } from './dialect.ts'
import { SnowflakeSpeaker } from './speaker.ts'

/** Where accounts are reached; a test has one of its own. */
export const snowflakeDriver = (at = { port: PORT, tls: true }): Driver => ({
  schemaFor: snowflakeSchema,
  placesOf,
  async open(config, _, { outbound }) {
    const speaker = new SnowflakeSpeaker(settingsOf(config), outbound, at)
    return new SystemSource(new TableSystem(speaker, SNOWFLAKE), outbound)
  }
})
