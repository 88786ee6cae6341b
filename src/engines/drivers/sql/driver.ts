import { openSql, type SqlKind } from '../../sql/index.ts'
import type { Driver } from '../index.ts'
import { placesOf, settingsOf, sqlSchema } from './config.ts'
import { SqlSource } from './source.ts'

/** Databases that `engines/sql` speaks to, and all that speak as these do. */
export function sqlDriver(kind: SqlKind): Driver {
  return {
    schemaFor: (source) => sqlSchema(kind, source),
    placesOf: (config, source) => placesOf(kind, config, source),
    async open(config, source, { outbound }) {
      const settings = settingsOf(kind, config, source)
      return new SqlSource(await openSql(settings, { outbound }), settings, source, outbound)
    }
  }
}
