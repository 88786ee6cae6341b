import type { Entry } from '../../engines/drivers/declared/entry.ts'
import {
  type Driver,
  driverOf,
  findSource,
  type JsonSchema,
  type OpenSource,
  runSteps,
  type SourceConfig,
  type SourceFacts,
  secretFields,
  sources
} from '../../engines/drivers/index.ts'
import type { MakeId } from '../../engines/ids.ts'
import type { Outbound } from '../../engines/outbound/index.ts'
import { invalidField, Problem } from '../../errors.ts'
import { faultsOf } from '../../http/compilers.ts'
import type { Performed } from '../../http/route.ts'
import { orNotFound } from '../../http/rows.ts'
import { type Config, completeConfig, isRecord, maskedConfig } from '../../http/sealed-config.ts'
import type { TSchema } from '../../http/type.ts'
import { pageOf } from './page.ts'
import type { ConnectionTest, ConnectionTestRequest, Source, SourceQuery, SourceSpec } from './schema.ts'

/** A test ends after this, however slow the other side is. */
const TEST_LIMIT_MS = 30_000

interface Needs {
  readonly makeId: MakeId
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

  list(query: SourceQuery) {
    const { q = '', category, auth } = query
    const wanted = q.toLowerCase()
    const found = sources().filter(
      (source) =>
        (category === undefined || source.category === category) &&
        (auth === undefined || auth === authenticationOf(source)) &&
        (source.name.toLowerCase().includes(wanted) || source.id.includes(wanted))
    )
    const { page, nextCursor } = pageOf(found, query)
    return { sources: page.map(toSource), total: found.length, nextCursor }
  }

  async spec(id: string): Promise<SourceSpec> {
    const facts = await orNotFound(Promise.resolve(findSource(id)))
    const driver = await driverOf(facts)
    return { ...toSource(facts), connectionSpecification: driver.schemaFor(facts), streams: null }
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
    const facts = findSource(sourceId)
    if (facts === undefined) {
      throw invalidField('/sourceId', 'must be the id of a source; GET /api/integration/sources lists them')
    }
    const driver = await driverOf(facts)
    const schema = driver.schemaFor(facts)
    return { facts, driver, schema, secretFields: secretFields(schema), entry: undefined }
  }

  /** The configuration, once it fits the source; throws all that is wrong with it. */
  check({ schema }: PreparedSource, config: Config): SourceConfig {
    const faults = faultsOf(schema as unknown as TSchema, config)
    if (faults.length === 0) return config
    const errors = faults.map(({ pointer, message }) => ({ pointer: `/config${pointer}`, message }))
    throw new Problem('invalid_request', { errors })
  }

  /** Opens a source for a piece of work, and closes it after. */
  async using<T>({ driver, facts }: PreparedSource, config: SourceConfig, work: (opened: OpenSource) => Promise<T>) {
    const { packagesFolder } = this.#needs
    const opened = await driver.open(config, facts, { outbound: await this.#needs.outbound(), packagesFolder })
    try {
      return await work(opened)
    } finally {
      await opened.close()
    }
  }

  async tryOut(source: PreparedSource, config: SourceConfig): Promise<ConnectionTest> {
    const outcome = await this.using(source, config, ({ steps }) => runSteps(steps, TEST_LIMIT_MS))
    const checks = outcome.checks.map((check) => ({
      ...check,
      pointer: check.pointer === null ? null : `/config${check.pointer}`
    }))
    return { ...outcome, checks, grants: [...outcome.grants] }
  }
}

function toSource(facts: SourceFacts): Source {
  const { id, name, category, hint, documentationUrl, isProven, isIncremental = true, hasChanges = false } = facts
  const supports = { check: true, discover: true, read: true, incremental: isIncremental, changes: hasChanges }
  const authentication = authenticationOf(facts)
  return { id, name, category, authentication, hint, documentationUrl, experimental: !isProven, supports }
}

const authenticationOf = ({ authentication = 'password' }: SourceFacts) => authentication

export function requireObject(config: unknown): Config {
  if (!isRecord(config)) throw invalidField('/config', 'must be a JSON object')
  return config
}
