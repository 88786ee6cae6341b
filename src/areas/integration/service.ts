import {
  type Driver,
  type Entry,
  type JsonSchema,
  type KeptSecrets,
  knownSource,
  type OpenSource,
  runSteps,
  type SourceConfig,
  SourceError,
  type SourceFacts,
  secretFields
} from '../../engines/drivers/index.ts'
import type { MakeId } from '../../engines/ids.ts'
import type { Outbound } from '../../engines/outbound/index.ts'
import { invalidField, Problem } from '../../errors.ts'
import { faultsOf } from '../../http/compilers.ts'
import type { Performed } from '../../http/route.ts'
import { orNotFound } from '../../http/rows.ts'
import { type Config, completeConfig, isRecord, maskedConfig } from '../../http/sealed-config.ts'
import type { TSchema } from '../../http/type.ts'
import { allSources, matches } from './catalogue.ts'
import type { OwnSources } from './own-sources.ts'
import { pageOf } from './page.ts'
import type { ConnectionTest, ConnectionTestRequest, SourceQuery, SourceSpec } from './schema.ts'

/** A test ends after this, however slow the other side is. */
const TEST_LIMIT_MS = 30_000

interface Needs {
  readonly makeId: MakeId
  readonly own: OwnSources
  readonly packagesFolder: string
  outbound(): Promise<Outbound>
}

/** A source with its driver, to check configurations with and to open. */
export interface PreparedSource {
  readonly facts: SourceFacts
  readonly driver: Driver
  readonly schema: JsonSchema
  readonly secretFields: readonly string[]
  /** What it is declared by; undefined where it has code of its own. */
  readonly entry: Entry | undefined
  /** Whether a user has added it. */
  readonly isOwn: boolean
}

/** What can be connected. */
export class Integration {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Where packages of drivers lie that are not shipped. */
  get packagesFolder(): string {
    return this.#needs.packagesFolder
  }

  async list(query: SourceQuery) {
    const found = (await allSources(this.#needs.own)).filter((source) => matches(source, query))
    const { page, nextCursor } = pageOf(found, query)
    return { sources: page, total: found.length, nextCursor }
  }

  async spec(id: string): Promise<SourceSpec> {
    const { schema: connectionSpecification, entry } = await orNotFound(this.#find(id))
    const source = (await allSources(this.#needs.own)).find((one) => one.id === id)
    return { ...(await orNotFound(Promise.resolve(source))), connectionSpecification, streams: streamsOf(entry) }
  }

  async test({ sourceId, config }: ConnectionTestRequest): Promise<Performed<ConnectionTest>> {
    const source = await this.prepare(sourceId)
    const whole = this.check(source, completeConfig(requireObject(config), {}, source.secretFields).config)
    const answer = await this.tryOut(source, whole)
    const { success, message } = answer
    const id = this.#needs.makeId('cnt')
    const shown = maskedConfig(whole, source.secretFields)
    return { answer, changes: [{ type: 'connection-test', id, after: { sourceId, config: shown, success, message } }] }
  }

  /** The source of a configuration; refuses one that is not there. */
  async prepare(sourceId: string): Promise<PreparedSource> {
    const found = await this.#find(sourceId)
    if (found !== undefined) return found
    throw invalidField('/sourceId', 'must be the id of a source; GET /api/integration/sources lists them')
  }

  /** The configuration, once it fits the source; throws all that is wrong with it. */
  check({ schema }: PreparedSource, config: Config): SourceConfig {
    const faults = faultsOf(schema as unknown as TSchema, config)
    if (faults.length === 0) return config
    const errors = faults.map(({ pointer, message }) => ({ pointer: `/config${pointer}`, message }))
    throw new Problem('invalid_request', { errors })
  }

  /** Opens a source for a piece of work, and closes it after. `secrets` are those of the configuration, where it is kept. */
  async using<T>(
    { driver, facts }: PreparedSource,
    config: SourceConfig,
    work: (opened: OpenSource) => Promise<T>,
    secrets?: KeptSecrets
  ): Promise<T> {
    const { packagesFolder } = this.#needs
    const needs = { outbound: await this.#needs.outbound(), packagesFolder, ...(secrets && { secrets }) }
    const opened = await driver.open(config, facts, needs)
    try {
      return await work(opened)
    } finally {
      await opened.close()
    }
  }

  async tryOut(source: PreparedSource, config: SourceConfig, secrets?: KeptSecrets): Promise<ConnectionTest> {
    const tried = this.using(source, config, ({ steps }) => runSteps(steps, TEST_LIMIT_MS), secrets)
    const outcome = await tried.catch((error) => {
      if (!(error instanceof SourceError)) throw error
      // It can't even be opened with such a configuration.
      return runSteps([{ name: 'policy', run: () => Promise.reject(error) }], TEST_LIMIT_MS)
    })
    const checks = outcome.checks.map((check) => ({
      ...check,
      pointer: check.pointer === null ? null : `/config${check.pointer}`
    }))
    return { ...outcome, checks, grants: [...outcome.grants] }
  }

  async #find(id: string): Promise<PreparedSource | undefined> {
    const own = await this.#needs.own.find(id)
    const known = await knownSource(id, own)
    if (known === undefined) return undefined
    const { facts, driver, entry } = known
    const schema = driver.schemaFor(facts)
    return { facts, driver, schema, secretFields: secretFields(schema), entry, isOwn: own !== undefined }
  }
}

/** What an entry says can be read; null where that is discovered with a connector. */
function streamsOf(entry: Entry | undefined): SourceSpec['streams'] {
  if (entry === undefined) return null
  return Object.entries(entry.streams).map(([name, { cursor, unreadable, uncertain }]) => ({
    name,
    readable: unreadable === undefined,
    incremental: cursor !== undefined,
    note: unreadable ?? uncertain ?? null
  }))
}

export function requireObject(config: unknown): Config {
  if (!isRecord(config)) throw invalidField('/config', 'must be a JSON object')
  return config
}
