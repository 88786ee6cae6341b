import { createHash, randomBytes } from 'node:crypto'
import { type Clock, toIso } from '../../engines/clock.ts'
import { send } from '../../engines/drivers/declared/send.ts'
import {
  type Permission,
  type Permittable,
  permissionAddress,
  permittableOf,
  refreshTokenFor
} from '../../engines/drivers/declared/sign/authorization-code.ts'
import { settingsIn } from '../../engines/drivers/declared/sign/places.ts'
import { SourceError } from '../../engines/drivers/index.ts'
import type { MakeId } from '../../engines/ids.ts'
import type { Db, Metadata } from '../../engines/metadata/index.ts'
import type { Outbound } from '../../engines/outbound/index.ts'
import type { Vault } from '../../engines/vault/index.ts'
import { invalidField, Problem } from '../../errors.ts'
import { type Actor, can } from '../../http/permissions.ts'
import type { BytesAnswer, Outcome } from '../../http/route.ts'
import { orNotFound } from '../../http/rows.ts'
import { type Config, completeConfig, isRecord, requireSamePlaces } from '../../http/sealed-config.ts'
import type { AuthorizationRow } from './authorization-migrations.ts'
import { authorizationPage } from './authorization-page.ts'
import type { Authorization, AuthorizationRequest, BegunAuthorization } from './authorization-schema.ts'
import * as store from './authorization-store.ts'
import type { PreparedSource } from './service.ts'

/** How long a person may take, and how long what they permitted waits to be used. */
const WAITING_MS = 10 * 60_000
const PERMITTED_MS = 60 * 60_000
const EXCHANGE_LIMIT_MS = 30_000
const CALLBACK = '/api/integration/authorizations/callback'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly vault: Vault
  readonly config: { readonly publicUrl: string | undefined }
  outbound(): Promise<Outbound>
  prepare(sourceId: string): Promise<PreparedSource>
  check(source: PreparedSource, config: Config): Config
  /** The configuration of a connector, with its secrets. */
  connected(connectorId: string): Promise<{ readonly source: PreparedSource; readonly config: Config }>
}

/** What is sealed in a row. */
interface Sealed extends Permission {
  readonly config: Config
}

interface Begun {
  readonly row: AuthorizationRow
  readonly state: string
  readonly authorizationUrl: string
}

const contextOf = (id: string) => `authorization:${id}/secrets`
const hashOf = (state: string) => createHash('sha256').update(state).digest('base64url')
const randomText = () => randomBytes(32).toString('base64url')

/** What people are asked to permit at services, with their browsers, so that connectors can be made with it. */
export class Authorizations {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Checks what is wanted and makes the address to ask at; nothing is kept yet. */
  async prepareNew(actor: Actor, request: AuthorizationRequest, host: string | undefined): Promise<Begun> {
    const { clock, makeId, vault, prepare, check } = this.#needs
    const source = await prepare(request.sourceId)
    const config = await this.#configOf(actor, request, source)
    const { oauth, scope } = requirePermittable(source, config)
    check(source, { ...config, [oauth.field]: config[oauth.field] ?? 'comes of it' })
    const base = this.#needs.config.publicUrl ?? `http://${host ?? 'localhost'}`
    const permission = { redirectUri: `${base}${CALLBACK}`, verifier: randomText() }
    const state = randomText()
    const authorizationUrl = orInvalid(() => permissionAddress(oauth, scope, { ...permission, state })).href
    const id = makeId('aut')
    const row: AuthorizationRow = {
      id,
      source_id: request.sourceId,
      status: 'waiting',
      message: null,
      state_hash: hashOf(state),
      sealed: vault.seal(JSON.stringify({ ...permission, config } satisfies Sealed), contextOf(id)),
      created_by: actor.id,
      created_at: clock.iso(),
      expires_ms: clock.now() + WAITING_MS
    }
    return { row, state, authorizationUrl }
  }

  async begin(tx: Db, { row, state, authorizationUrl }: Begun): Promise<Outcome<BegunAuthorization>> {
    await store.insertAuthorization(tx, row, this.#needs.clock.now())
    const shown = toAuthorization(row)
    return {
      answer: { ...shown, authorizationUrl, state },
      changes: [{ type: 'authorization', id: row.id, after: shown }]
    }
  }

  async get(actor: Actor, id: string): Promise<Authorization> {
    const { metadata, clock } = this.#needs
    return toAuthorization(await orNotFound(store.findAuthorization(metadata.db, id, actor.id, clock.now())))
  }

  /** Takes what a person came back with, and says in a page what came of it. */
  async finish(came: URLSearchParams): Promise<BytesAnswer> {
    const { metadata, clock } = this.#needs
    const stateHash = hashOf(came.get('state') ?? '')
    const row = await metadata.transaction((tx) => store.claimAuthorization(tx, stateHash, clock.now()))
    if (row === undefined) {
      return authorizationPage(
        'Nothing waits for this',
        'It was answered before, or took longer than ten minutes. Begin again in Millrace.'
      )
    }
    const failure = await this.#exchange(row, came).catch((error) => {
      if (error instanceof SourceError) return error.message
      throw error
    })
    if (failure === undefined) {
      return authorizationPage('Permitted', 'Millrace has what it needs. You can close this page and go on there.')
    }
    const expires_ms = clock.now() + PERMITTED_MS
    const ending = { status: 'failed', message: failure, sealed: row.sealed, expires_ms } as const
    await metadata.transaction((tx) => store.endAuthorization(tx, row.id, ending))
    return authorizationPage('Not permitted', `${failure}. Begin again in Millrace.`)
  }

  /** The configuration that was permitted, with the refresh token, for a connector of the user who began it. */
  async permitted(actor: Actor, id: string, sourceId: string): Promise<Config> {
    const { metadata, clock } = this.#needs
    const row = await store.findAuthorization(metadata.db, id, actor.id, clock.now())
    if (row?.status !== 'permitted') {
      throw notUsable('must be one that you have begun and that was permitted within the last hour')
    }
    if (row.source_id !== sourceId) throw notUsable(`is for the source ${row.source_id}`)
    return this.#open(row).config
  }

  /** Each is good for one connector. */
  async use(tx: Db, id: string): Promise<void> {
    if (!(await store.deleteAuthorization(tx, id))) throw notUsable('was used by somebody else just now')
  }

  async #configOf(actor: Actor, request: AuthorizationRequest, source: PreparedSource): Promise<Config> {
    const { config: sent, connectorId, sourceId } = request
    if (!isRecord(sent)) throw invalidField('/config', 'must be a JSON object')
    const { driver, facts, secretFields } = source
    if (connectorId === undefined) return completeConfig(sent, {}, secretFields).config
    if (!can(actor, 'connectors:write')) {
      throw new Problem('permission_denied', { members: { permission: 'connectors:write' } })
    }
    const { config: before, source: known } = await this.#needs.connected(connectorId)
    if (known.facts.id !== sourceId) throw invalidField('/connectorId', `is a connector of ${known.facts.id}`)
    const { config, kept } = completeConfig(sent, before, secretFields)
    requireSamePlaces(kept, driver.placesOf(before, facts), driver.placesOf(config, facts))
    return config
  }

  /** Keeps the refresh token; answers why there is none. */
  async #exchange(row: AuthorizationRow, came: URLSearchParams): Promise<string | undefined> {
    const code = came.get('code')
    if (code === null || code === '') {
      return came.get('error') === 'access_denied'
        ? 'The service says that it was denied'
        : 'The service came back without a permission'
    }
    const { metadata, clock, vault, prepare, outbound } = this.#needs
    const { config, ...permission } = this.#open(row)
    const { oauth, scope } = requirePermittable(await prepare(row.source_id), config)
    const client = await outbound()
    const refreshToken = await refreshTokenFor(code, permission, oauth, scope, {
      send: (request, signal) => send(client, request, signal),
      clock,
      signal: AbortSignal.timeout(EXCHANGE_LIMIT_MS)
    })
    const whole: Sealed = { ...permission, config: { ...config, [oauth.field]: refreshToken } }
    const ending = {
      status: 'permitted',
      message: null,
      sealed: vault.seal(JSON.stringify(whole), contextOf(row.id)),
      expires_ms: clock.now() + PERMITTED_MS
    } as const
    await metadata.transaction((tx) => store.endAuthorization(tx, row.id, ending))
    return undefined
  }

  #open({ id, sealed }: AuthorizationRow): Sealed {
    return JSON.parse(this.#needs.vault.open(sealed, contextOf(id))) as Sealed
  }
}

function requirePermittable({ entry }: PreparedSource, config: Config) {
  const scope = entry === undefined ? {} : settingsIn(entry, config)
  const oauth: Permittable | undefined =
    entry === undefined ? undefined : orInvalid(() => permittableOf(entry.authentication, scope))
  if (oauth !== undefined) return { oauth, scope }
  throw invalidField('/sourceId', 'must be a source with which, so configured, a person permits access in a browser')
}

/** What is wrong with a configuration, as what is wrong with the request. */
function orInvalid<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    throw invalidField(`/config${error.pointer ?? ''}`, error.message)
  }
}

const notUsable = (message: string) => invalidField('/authorizationId', message)

const toAuthorization = (row: AuthorizationRow): Authorization => ({
  id: row.id,
  sourceId: row.source_id,
  status: row.status,
  message: row.message,
  expiresAt: toIso(row.expires_ms),
  createdAt: row.created_at
})
