import { SystemSource } from '../common/source.ts'
import type { Driver } from '../index.ts'
import { loadPackage, packageStep } from '../packages.ts'
import { mongoSchema, placesOf, settingsOf } from './config.ts'
import { MONGODB, type MongoPackage } from './package.ts'
import { MongoSystem } from './system.ts'

/** MongoDB and what speaks as it does, with a package that is not shipped. */
export const mongoDriver: Driver = {
  schemaFor: mongoSchema,
  placesOf,
  async open(config, source, { outbound, packagesFolder }) {
    const load = () => loadPackage<MongoPackage>(MONGODB, packagesFolder)
    const system = new MongoSystem(settingsOf(config, source), outbound, load)
    return new SystemSource(system, outbound, [packageStep(MONGODB, packagesFolder)])
  }
}
