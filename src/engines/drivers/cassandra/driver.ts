import { SystemSource } from '../common/source.ts'
import type { Driver } from '../index.ts'
import { loadPackage, packageStep } from '../packages.ts'
import { cassandraSchema, placesOf, settingsOf } from './config.ts'
import { CASSANDRA, type CassandraPackage } from './package.ts'
import { CassandraSystem } from './system.ts'

/** Cassandra and what speaks as it does, with a package that is not shipped. */
export const cassandraDriver: Driver = {
  schemaFor: cassandraSchema,
  placesOf,
  async open(config, source, { outbound, packagesFolder }) {
    const load = () => loadPackage<CassandraPackage>(CASSANDRA, packagesFolder)
    const system = new CassandraSystem(settingsOf(config, source), outbound, load)
    return new SystemSource(system, outbound, [packageStep(CASSANDRA, packagesFolder)])
  }
}
