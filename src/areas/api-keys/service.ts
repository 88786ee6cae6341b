import { type Clock, toIso } from '../../engines/clock.ts'
import { ignoreFullDisk } from '../../engines/full-disk.ts'
import type { Role } from '../../engines/identity/index.ts'
import type { MakeId } from '../../engines/ids.ts'
import type { Db, Metadata } from '../../engines/metadata/index.ts'
import type { Bearer } from '../../errors.ts'
import { refusedToken } from '../../http/authenticate.ts'
import type { Change } from '../../http/changes.ts'
import { type Actor, can, includesScope, leastRoleFor, rankOf, unknownAreaOf } from '../../http/permissions.ts'
import { created, deleted, type Outcome } from '../../http/route.ts'
import { orNotFound } from '../../http/rows.ts'
import type { Users } from '../users/index.ts'
import { invalidField, Problem } from './errors.ts'
import { hashKeyText, isKeyText, makeKeyText } from './key-text.ts'
import type { ApiKeyRow } from './migrations.ts'
import type { ApiKey, ApiKeyCreate, ApiKeyQuery, NewApiKey } from './schema.ts'
import {
  deleteApiKey,
  deleteDescendants,
  findApiKey,
  findHash,
  findRevoked,
  insertApiKey,
  listApiKeys,
  lockApiKey,
  rememberRevoked,
  toApiKey,
  touchApiKey
} from './store.ts'

const USED_PRECISION_MS = 60_000
const HINT_CHARS = 7
/** How long a revoked key is told apart from a key that never existed. */
const REVOKED_KNOWN_MS = 365 * 86_400_000

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly users: Users
}

export class ApiKeys {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async create(tx: Db, actor: Actor, body: ApiKeyCreate): Promise<Outcome<NewApiKey>> {
    const { clock, makeId } = this.#needs
    const role = body.role ?? actor.role
    if (role === undefined || rankOf(role) > rankOf(actor.role)) throw new Problem('rights_exceeded')
    const scopes = body.scopes ?? actor.scopes
    const beyond = scopes?.find((scope) => !includesScope(actor, scope))
    if (beyond !== undefined) throw new Problem('rights_exceeded', { members: { scope: beyond } })
    requireUsable(role, body.scopes ?? [])
    const expiresAt = this.#expiry(actor, body.expiresAt)
    const { apiKeyId } = actor
    // The caller's key may have been revoked since the request came in, together with all keys made with it.
    if (apiKeyId !== undefined && (await lockApiKey(tx, apiKeyId)) === undefined) throw unknownKey()
    const key = makeKeyText()
    const row: ApiKeyRow = {
      id: makeId('key'),
      owner_id: actor.id,
      name: body.name,
      role,
      scopes: scopes === undefined ? null : JSON.stringify(scopes),
      hash: hashKeyText(key),
      hint: key.slice(0, HINT_CHARS),
      expires_at: expiresAt ?? null,
      last_used_at: null,
      created_at: clock.iso(),
      made_with: apiKeyId ?? null
    }
    await insertApiKey(tx, row)
    const apiKey = toApiKey(row)
    return created('api-key', apiKey, { ...apiKey, key })
  }

  /** A key that was made with a key lasts no longer than that one. */
  #expiry(actor: Actor, wanted: string | undefined): string | undefined {
    if (wanted === undefined) return actor.expiresAt
    const expiresAt = toIso(Date.parse(wanted))
    if (expiresAt <= this.#needs.clock.iso()) throw invalidField('/expiresAt', 'must be in the future')
    if (actor.expiresAt !== undefined && expiresAt > actor.expiresAt) {
      throw new Problem('rights_exceeded', {
        detail: `Your own key expires at ${actor.expiresAt}; ask for no later time.`
      })
    }
    return expiresAt
  }

  async list(actor: Actor, query: ApiKeyQuery) {
    const ownerId = mayManageAll(actor) ? undefined : actor.id
    const { rows, total, nextCursor } = await listApiKeys(this.#needs.metadata.db, query, ownerId)
    return { apiKeys: rows.map(toApiKey), total, nextCursor }
  }

  async get(actor: Actor, id: string, db: Db = this.#needs.metadata.db): Promise<ApiKey> {
    const row = await findApiKey(db, id)
    if (row === undefined || (row.owner_id !== actor.id && !mayManageAll(actor))) throw new Problem('not_found')
    return toApiKey(row)
  }

  async revoke(tx: Db, actor: Actor, id: string): Promise<Outcome<null>> {
    const apiKey = await this.get(actor, id, tx)
    const own = await orNotFound(deleteApiKey(tx, id))
    const { answer, changes } = deleted('api-key', apiKey)
    const descendants = await deleteDescendants(tx, id)
    const others = descendants.map((row): Change => ({ type: 'api-key', id: row.id, before: toApiKey(row) }))
    await this.#remember(tx, [own, ...descendants])
    return { answer, changes: [...changes, ...others] }
  }

  async #remember(tx: Db, keys: readonly ApiKeyRow[]): Promise<void> {
    const { clock } = this.#needs
    const revoked_at = clock.iso()
    const rows = keys.map(({ hash, id, owner_id, name }) => ({ hash, id, owner_id, name, revoked_at }))
    await rememberRevoked(tx, rows, toIso(clock.now() - REVOKED_KNOWN_MS))
  }

  /** The caller behind a key: its owner, with the rights of the key and never more than the owner has now. */
  async authenticate(text: string): Promise<Actor> {
    const { metadata, clock } = this.#needs
    const { actor, row } = await this.#find(text)
    const usedMsAgo = row.last_used_at === null ? Number.POSITIVE_INFINITY : clock.now() - Date.parse(row.last_used_at)
    if (usedMsAgo >= USED_PRECISION_MS) {
      await metadata.transaction((tx) => touchApiKey(tx, row.id, clock.iso())).catch(ignoreFullDisk)
    }
    return actor
  }

  async #find(text: string): Promise<{ actor: Actor; row: ApiKeyRow }> {
    const { metadata, clock, users } = this.#needs
    if (!isKeyText(text)) throw refusedToken('format', 'The API key is mistyped or cut off.')
    const hash = hashKeyText(text)
    const row = await findHash(metadata.db, hash)
    if (row === undefined) throw unknownKey(await this.#bearerOf(await findRevoked(metadata.db, hash)))
    if (row.expires_at !== null && row.expires_at <= clock.iso())
      throw refusedToken('expired', 'The API key has expired.', await this.#bearerOf(row))
    const owner = await users.owner(row.owner_id)
    if (owner === undefined) {
      throw refusedToken('disabled', 'The user who made the API key is disabled.', await this.#bearerOf(row))
    }
    const role = rankOf(owner.role) < rankOf(row.role) ? owner.role : row.role
    const scopes = row.scopes === null ? undefined : JSON.parse(row.scopes)
    const key = { apiKeyId: row.id, apiKeyName: row.name, expiresAt: row.expires_at ?? undefined }
    return { actor: { ...owner, role, scopes, ...key }, row }
  }

  /** The owner and name of a key, also of a revoked one, for the audit trail. */
  async #bearerOf(key: { id: string; name: string; owner_id: string } | undefined): Promise<Bearer | undefined> {
    if (key === undefined) return undefined
    const { id, name } = await this.#needs.users.get(key.owner_id)
    return { user: { id, name }, apiKey: { id: key.id, name: key.name } }
  }

  /** The role that an accepted key has now. This does not count as a use of it either. */
  async roleOf(text: string): Promise<Role | undefined> {
    return (await this.#find(text)).actor.role
  }

  /** The checks of `authenticate`, one by one. This does not count as a use of the key. */
  async explain(text: string): Promise<{ name: string; ok: boolean; message: string }[]> {
    const format = { name: 'format', ok: isKeyText(text), message: 'mr_, 36 characters, checksum' }
    if (!format.ok) return [{ ...format, message: 'The API key is mistyped or cut off: its checksum does not fit.' }]
    try {
      const { actor } = await this.#find(text)
      const message = `The key of ${actor.name}, role ${actor.role ?? 'none'}, scopes ${actor.scopes?.join(' ') ?? 'not narrowed'}`
      return [format, { name: 'key', ok: true, message }]
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return [format, { name: String(error.members?.check), ok: false, message: error.detail }]
    }
  }
}

/** Refuses a scope beyond the role of the key: the role never grows, so no request could use the scope. */
function requireUsable(role: Role, scopes: readonly string[]): void {
  for (const [at, scope] of scopes.entries()) {
    const unknown = unknownAreaOf(scope)
    if (unknown !== undefined) throw invalidField(`/scopes/${at}`, unknown)
  }
  const index = scopes.findIndex((scope) => rankOf(leastRoleFor(scope)) > rankOf(role))
  if (index < 0) return
  const needed = leastRoleFor(scopes[index] as string)
  throw invalidField(`/scopes/${index}`, `needs a key of the role ${needed}, and this one is of the role ${role}`)
}

const unknownKey = (bearer?: Bearer) => refusedToken('key', 'The API key is unknown or was revoked.', bearer)

function mayManageAll(actor: Actor): boolean {
  return can(actor, 'api-keys:admin')
}
