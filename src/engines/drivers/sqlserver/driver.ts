import { SystemSource } from '../common/source.ts'
import { TableSystem } from '../common/tables.ts'
import type { Driver } from '../index.ts'
import { loadPackage, packageStep } from '../packages.ts'
import { placesOf, settingsOf, sqlServerSchema } from './config.ts'
import { SQL_SERVER } from './dialect.ts'
import { TEDIOUS, type TediousPackage } from './package.ts'
import { SqlServerSpeaker } from './speaker.ts'

/** SQL Server and what Azure makes of it, with a package that is not shipped. */
export const sqlServerDriver: Driver = {
  schemaFor: sqlServerSchema,
  placesOf,
  async open(config, source, { outbound, packagesFolder }) {
    const load = () => loadPackage<TediousPackage>(TEDIOUS, packagesFolder)
    const speaker = new SqlServerSpeaker(settingsOf(config, source), outbound, load)
    return new SystemSource(new TableSystem(speaker, SQL_SERVER), outbound, [packageStep(TEDIOUS, packagesFolder)])
  }
}
