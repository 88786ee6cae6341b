import { SystemSource } from '../common/source.ts'
import { TableSystem } from '../common/tables.ts'
import type { Driver } from '../index.ts'
import { loadPackage, packageStep } from '../packages.ts'
import { oracleSchema, placesOf, settingsOf } from './config.ts'
import { ORACLE } from './dialect.ts'
import { ORACLEDB, type OraclePackage } from './package.ts'
import { OracleSpeaker } from './speaker.ts'

/** Oracle Database, with a package that is not shipped. */
export const oracleDriver: Driver = {
  schemaFor: oracleSchema,
  placesOf,
  async open(config, source, { outbound, packagesFolder }) {
    const load = () => loadPackage<OraclePackage>(ORACLEDB, packagesFolder)
    const speaker = new OracleSpeaker(settingsOf(config, source), outbound, load)
    return new SystemSource(new TableSystem(speaker, ORACLE), outbound, [packageStep(ORACLEDB, packagesFolder)])
  }
}
