import { isDeepStrictEqual } from 'node:util'
import type { Services } from '../../area.ts'
import type { Clock } from '../../engines/clock.ts'
import type { SourceConfig, StreamColumn } from '../../engines/drivers/index.ts'
import type { MakeId } from '../../engines/ids.ts'
import { PermanentFailure } from '../../engines/jobs/index.ts'
import type { Db, Metadata } from '../../engines/metadata/index.ts'
import { SealBroken, type Vault } from '../../engines/vault/index.ts'
import type { Uses } from '../../http/in-use.ts'
import type { Actor } from '../../http/permissions.ts'
import type { Outcome } from '../../http/route.ts'
import { firstStamps, nextStamps, orNameTaken, orNotFound } from '../../http/rows.ts'
import { type Config, completeConfig, openConfig, requireSamePlaces, sealConfig } from '../../http/sealed-config.ts'
import { type Integration, type PreparedSource, requireObject } from '../integration/index.ts'
import { ownerDeleted } from '../lineage/index.ts'
import { unlistedCursor } from './cursor.ts'
import { Problem } from './errors.ts'
import type { ConnectorRow } from './migrations.ts'
import type { Connector, ConnectorCreate, ConnectorQuery, ConnectorUpdate } from './schema.ts'
import { contextOf, SecretKeeping } from './secret-keeping.ts'
import * as store from './store.ts'
import { requireUnchanged } from './unchanged.ts'
import { factsOf, toConnector } from './view.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly vault: Vault
  readonly uses: Uses
  integration(): Promise<Services['integration']>
}

/** The configuration of a connector that is made or changed, checked before its transaction begins. */
interface Prepared {
  readonly id: string
  readonly config: Config
  readonly secretFields: readonly string[]
  /** The secret fields that stay as they are kept. */
  readonly kept: readonly string[]
  /** Whether it is another one than before; whoever sends a secret means one. */
  readonly isOther: boolean
  /** The secret fields that were sent, rather than kept: the audit trail tells that there are others now. */
  readonly secretsSent: readonly string[]
  /** That of the connector that it was checked with. */
  readonly version: number
}

/** A connector, its source, and its configuration with secrets: what is needed to call it. */
export interface OpenedConnector {
  readonly row: ConnectorRow
  readonly source: PreparedSource
  readonly config: SourceConfig
}

/** From one test of a connector to the next that nobody asks for. */
export const TEST_EVERY_MS = 900_000

/** The systems of others that are connected. */
export class Connectors {
  readonly #needs: Needs
  /** What services give in place of the secrets of connectors. */
  readonly secrets: SecretKeeping

  constructor(needs: Needs) {
    this.#needs = needs
    this.secrets = new SecretKeeping(needs)
  }

  async list(query: ConnectorQuery) {
    const { db } = this.#needs.metadata
    const { rows, total, nextCursor } = await store.listConnectors(db, query)
    const counts = await store.streamCounts(
      db,
      rows.map(({ id }) => id)
    )
    return { connectors: rows.map((row) => toConnector(row, counts.get(row.id) ?? 0)), total, nextCursor }
  }

  async get(id: string): Promise<Connector> {
    const { db } = this.#needs.metadata
    return this.view(db, await orNotFound(store.findConnector(db, id)))
  }

  async view(db: Db, row: ConnectorRow): Promise<Connector> {
    const counts = await store.streamCounts(db, [row.id])
    return toConnector(row, counts.get(row.id) ?? 0)
  }

  async prepareNew(actor: Actor, { sourceId, config: sent, authorizationId }: ConnectorCreate): Promise<Prepared> {
    const integration = await this.#needs.integration()
    const source = await integration.prepare(sourceId)
    const known = await this.#permitted(actor, authorizationId, sourceId)
    const { config } = completed(integration, source, requireObject(sent), known ?? {})
    const id = this.#needs.makeId('cn')
    return { id, config, secretFields: source.secretFields, kept: [], isOther: true, secretsSent: [], version: 0 }
  }

  /** Undefined where nothing is said of the configuration. */
  async prepareChange(actor: Actor, id: string, body: ConnectorUpdate): Promise<Prepared | undefined> {
    const { config: sent, authorizationId } = body
    if (sent === undefined && authorizationId === undefined) return undefined
    const integration = await this.#needs.integration()
    const row = await orNotFound(store.findConnector(this.#needs.metadata.db, id))
    const { source, config: before, lost } = await this.#openToChange(row)
    const known = await this.#permitted(actor, authorizationId, row.source_id)
    const { config, kept: stayed } = completed(
      integration,
      source,
      { ...lost, ...requireObject(sent ?? known) },
      known ?? before
    )
    const kept = known === undefined ? stayed : []
    const { secretFields } = source
    const secretsSent = secretFields.filter((field) => Object.hasOwn(config, field) && !kept.includes(field))
    const isOther = secretsSent.length > 0 || !isDeepStrictEqual(config, before)
    return { id, config, secretFields, kept, isOther, secretsSent, version: row.version }
  }

  async create(tx: Db, actor: Actor, body: ConnectorCreate, prepared: Prepared): Promise<Outcome<Connector>> {
    const { clock } = this.#needs
    const { id } = prepared
    await this.#use(tx, body)
    const row: ConnectorRow = {
      id,
      name: body.name,
      source_id: body.sourceId,
      ...this.#sealed(prepared, undefined),
      ...untested(clock),
      next_test_ms: clock.now() + TEST_EVERY_MS,
      discovered_at: null,
      streams_whole: 1,
      streams_stale: 0,
      created_by: actor.id,
      ...firstStamps(clock)
    }
    await orNameTaken(() => store.insertConnector(tx, row))
    return { answer: toConnector(row, 0), changes: [{ type: 'connector', id, after: factsOf(row) }] }
  }

  async update(tx: Db, id: string, body: ConnectorUpdate, prepared: Prepared | undefined): Promise<Outcome<Connector>> {
    const { clock } = this.#needs
    const before = await orNotFound(store.lockConnector(tx, id))
    // Its secrets were kept from what was stored then.
    if (prepared !== undefined && prepared.version !== before.version) throw new Problem('stale_version')
    requireUnchanged(body, await this.view(tx, before))
    await this.#use(tx, body)
    const sealed = prepared?.isOther && this.#sealed(prepared, before)
    const row: ConnectorRow = {
      ...before,
      ...(sealed && { ...sealed, ...untested(clock), streams_stale: staleBy(sealed.config, before) }),
      name: body.name ?? before.name,
      ...nextStamps(before, clock)
    }
    await orNameTaken(() => store.updateConnector(tx, row))
    return {
      answer: await this.view(tx, row),
      changes: [{ type: 'connector', id, before: factsOf(before), after: { ...factsOf(row), ...sentOf(prepared) } }]
    }
  }

  async delete(tx: Db, id: string, force: boolean): Promise<Outcome<null>> {
    const row = await orNotFound(store.lockConnector(tx, id))
    if (!force) await this.#needs.uses.requireUnused(tx, { type: 'connector', id })
    await store.deleteConnector(tx, id)
    await ownerDeleted(tx, `connector://${id}`, this.#needs.clock.now())
    return { answer: null, changes: [{ type: 'connector', id, before: factsOf(row) }] }
  }

  /** A connector with what is needed to call it. */
  async open(id: string): Promise<OpenedConnector> {
    return this.openRow(await orNotFound(store.findConnector(this.#needs.metadata.db, id)))
  }

  /** What reading a stream needs, for whoever reads it without a request; or which of them names nothing that can be read so. */
  async forStream(id: string, stream: string | undefined, cursor?: string) {
    const { db } = this.#needs.metadata
    const row = await store.findConnector(db, id)
    if (row === undefined) return { field: 'connectorId' as const, problem: `there is no connector ${id}` }
    const found = stream === undefined ? undefined : await store.findStream(db, id, stream)
    if (stream !== undefined && found === undefined) {
      const meant = await store.meantStream(db, id, stream)
      const advice = meant ? `there is ${meant}` : `POST /api/connectors/${id}/discover finds what there is`
      const problem = `the connector ${id} has no stream ${stream}; ${advice}`
      return { field: 'stream' as const, problem }
    }
    const unlisted = cursor && found && unlistedCursor(cursor, JSON.parse(found.cursors))
    if (unlisted) return { field: 'cursor' as const, problem: unlisted }
    const opened = await this.openRow(row).catch((error) => {
      if (isUnreadable(error)) return undefined
      throw error
    })
    if (opened === undefined)
      return { field: 'connectorId' as const, problem: `the secrets of ${id} can't be opened; POST …/test says more` }
    const { source, config } = opened
    const { packagesFolder } = await this.#needs.integration()
    const columns = found && (JSON.parse(found.columns) as StreamColumn[])
    const ticket = this.secrets.ticketFor(id)
    const own = source.isOwn && { entry: source.entry }
    return { sourceId: source.facts.id, ...own, config, ticket, packagesFolder, columns }
  }

  /** Has a source keep no changes for a reader any more; throws what to do where that can't be. */
  async forgetReader(id: string, reader: string): Promise<void> {
    const row = await store.findConnector(this.#needs.metadata.db, id)
    if (row === undefined) throw new PermanentFailure('the connector was deleted')
    const { source, config } = await this.openRow(row)
    const integration = await this.#needs.integration()
    await integration.using(source, config, async ({ readers }) => readers?.forget(reader), this.secrets.of(id))
  }

  /** After it could be read elsewhere: one that failed its test is the next to be tested, rather than a quarter of an hour after that. */
  async works(id: string): Promise<void> {
    const { metadata, clock } = this.#needs
    if ((await store.findConnector(metadata.db, id))?.status !== 'failing') return
    await metadata.transaction((tx) => store.postponeTest(tx, id, clock.now()))
  }

  /** The same with its columns, for SQL. */
  async toRead(id: string, stream: string) {
    const found = await this.forStream(id, stream)
    if (found.problem !== undefined) return { problem: found.problem }
    return { ...found, columns: found.columns ?? [] }
  }

  /** Throws `secrets_unreadable` where its secrets were sealed under a key that is not there. */
  async openRow(row: ConnectorRow): Promise<OpenedConnector> {
    const source = await (await this.#needs.integration()).prepare(row.source_id)
    return { row, source, config: openOrTell(this.#needs.vault, row) }
  }

  /** Secrets that can't be opened are lost: `lost` has their masks, so that none of them is left out of what takes their place. */
  async #openToChange(row: ConnectorRow): Promise<Omit<OpenedConnector, 'row'> & { readonly lost: Config }> {
    try {
      return { ...(await this.openRow(row)), lost: {} }
    } catch (error) {
      if (!isUnreadable(error)) throw error
      const { source, config } = await this.openRow({ ...row, secrets: null })
      const isSecret = ([field]: [string, unknown]) => source.secretFields.includes(field)
      const [lost = [], known = []] = [true, false].map((secret) =>
        Object.entries(config).filter((entry) => isSecret(entry) === secret)
      )
      return { source, config: Object.fromEntries(known), lost: Object.fromEntries(lost) }
    }
  }

  /** The columns of a configuration. A service may have given another secret in place of one that stays since it was prepared. */
  #sealed({ id, config, secretFields, kept }: Prepared, row: ConnectorRow | undefined) {
    const now = row === undefined || kept.length === 0 ? {} : openConfig(this.#needs.vault, contextOf(id), row)
    const fresh = kept.filter((field) => typeof now[field] === 'string').map((field) => [field, now[field]])
    return sealConfig(this.#needs.vault, contextOf(id), { ...config, ...Object.fromEntries(fresh) }, secretFields)
  }

  /** The configuration that a person has permitted; undefined where nothing is said of one. */
  async #permitted(actor: Actor, authorizationId: string | undefined, sourceId: string) {
    if (authorizationId === undefined) return undefined
    const { authorizations } = await this.#needs.integration()
    return authorizations.permitted(actor, authorizationId, sourceId)
  }

  async #use(tx: Db, { authorizationId }: { readonly authorizationId?: string | undefined }): Promise<void> {
    if (authorizationId === undefined) return
    const { authorizations } = await this.#needs.integration()
    await authorizations.use(tx, authorizationId)
  }
}

/** What was sent with the secrets that are known, once it is right and they go where they went before. */
function completed(integration: Integration, source: PreparedSource, sent: Config, known: Config) {
  const { driver, facts, secretFields } = source
  const { config, kept } = completeConfig(sent, known, secretFields)
  integration.check(source, config)
  if (kept.length > 0) requireSamePlaces(kept, driver.placesOf(known, facts), driver.placesOf(config, facts))
  return { config, kept }
}

/** What was found stays, for others may name it, until somebody looks again; secrets lead nowhere else. */
const staleBy = (config: string, before: ConnectorRow): 0 | 1 =>
  before.discovered_at === null || config === before.config ? before.streams_stale : 1

function openOrTell(vault: Vault, row: ConnectorRow): SourceConfig {
  try {
    return openConfig(vault, contextOf(row.id), row)
  } catch (error) {
    if (error instanceof SealBroken) throw new Problem('secrets_unreadable')
    throw error
  }
}

const isUnreadable = (error: unknown) => error instanceof Problem && error.code === 'secrets_unreadable'

const sentOf = (prepared: Prepared | undefined) =>
  prepared === undefined || prepared.secretsSent.length === 0 ? {} : { secretsSent: prepared.secretsSent }

const untested = (clock: Clock) => ({ status: 'untested' as const, status_since: clock.iso(), last_test: null })
