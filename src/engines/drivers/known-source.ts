import type { SourceFacts } from './catalogue/facts.ts'
import { CATALOGUE } from './catalogue/index.ts'
import type { Entry } from './declared/entry.ts'
import type { Driver } from './index.ts'
import { driverOf } from './loaders.ts'

/** A source with the code that runs it. */
export interface KnownSource {
  readonly facts: SourceFacts
  readonly driver: Driver
  /** What it is declared by; undefined where it has code of its own. */
  readonly entry: Entry | undefined
}

/** Those that have a driver of their own, by name. */
export const sources = (): readonly SourceFacts[] => CATALOGUE

export const findSource = (id: string): SourceFacts | undefined => CATALOGUE.find((source) => source.id === id)

/** The source of an id: that of an entry which a user has made, where it is given, or one that is shipped. */
export async function knownSource(id: string, own?: Entry): Promise<KnownSource | undefined> {
  const facts = own === undefined ? findSource(id) : undefined
  if (facts !== undefined) return { facts, driver: await driverOf(facts), entry: undefined }
  const { loadEntry, factsOf } = await import('./declared/catalogue/index.ts')
  const entry = own ?? (await loadEntry(id))
  if (entry === undefined) return undefined
  const { declaredDriver } = await import('./declared/driver.ts')
  return { facts: factsOf(entry), driver: declaredDriver(entry), entry }
}
