import type { Bus } from '../../engines/bus/index.ts'
import type { Clock } from '../../engines/clock.ts'
import { ignoreFullDisk } from '../../engines/full-disk.ts'
import type { VerifiedToken } from '../../engines/identity/index.ts'
import type { MakeId } from '../../engines/ids.ts'
import type { Db, Metadata } from '../../engines/metadata/index.ts'
import { Problem } from '../../errors.ts'
import type { AuditTrail } from '../../http/audit-trail.ts'
import { refusedToken } from '../../http/authenticate.ts'
import { type Cause, type Change, recordChanges, tellChanges } from '../../http/changes.ts'
import { type Actor, highestRole } from '../../http/permissions.ts'
import type { Outcome } from '../../http/route.ts'
import { orNotFound } from '../../http/rows.ts'
import type { UserRow } from './migrations.ts'
import type { User, UserQuery, UserUpdate } from './schema.ts'
import { findSubject, findUser, insertUser, listUsers, lockUser, toUser, touchUser, updateUser } from './store.ts'

const SEEN_PRECISION_MS = 60_000

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly audit: AuditTrail
  readonly bus: Bus
}

export class Users {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(query: UserQuery) {
    const { rows, total, nextCursor } = await listUsers(this.#needs.metadata.db, query)
    return { users: rows.map(toUser), total, nextCursor }
  }

  async get(id: string): Promise<User> {
    const row = await orNotFound(findUser(this.#needs.metadata.db, id))
    return toUser(row)
  }

  async update(tx: Db, actor: Actor, id: string, change: UserUpdate): Promise<Outcome<User>> {
    const before = await orNotFound(lockUser(tx, id))
    if (change.disabled === true && id === actor.id) {
      throw new Problem('unprocessable', { detail: 'You can’t disable yourself; another administrator can.' })
    }
    const disabled = change.disabled === undefined ? before.disabled : Number(change.disabled)
    const after = await updateUser(tx, id, { disabled })
    return { answer: toUser(after), changes: [changeOf(before, after, false)] }
  }

  /** The caller behind a verified token; an unknown one becomes a user. */
  async seen(token: VerifiedToken): Promise<Actor> {
    const known = await findSubject(this.#needs.metadata.db, token.issuer, token.subject)
    const row = known === undefined ? await this.#add(token) : await this.#refresh(known, token)
    if (row.disabled === 1) {
      const user = { id: row.id, name: row.name }
      throw refusedToken('disabled', 'The user is disabled; ask an administrator.', { user, apiKey: null })
    }
    return { id: row.id, name: row.name, role: highestRole(token.roles), scopes: undefined, apiKeyId: undefined }
  }

  /** The owner of an API key; undefined where the key may not be used any more. */
  async owner(id: string): Promise<Pick<Actor, 'id' | 'name' | 'role'> | undefined> {
    const row = await findUser(this.#needs.metadata.db, id)
    if (row === undefined || row.disabled === 1) return undefined
    return { id, name: row.name, role: highestRole(JSON.parse(row.roles)) }
  }

  async #add(token: VerifiedToken): Promise<UserRow> {
    const { metadata, clock, makeId, audit, bus } = this.#needs
    const now = clock.iso()
    const row: UserRow = {
      id: makeId('usr'),
      issuer: token.issuer,
      subject: token.subject,
      ...claimsOf(token),
      disabled: 0,
      version: 1,
      created_at: now,
      last_seen_at: now
    }
    const { user, changes } = await metadata.transaction(async (tx) => {
      const { row: user, added } = await insertUser(tx, row)
      const changes: Change[] = added ? [{ type: 'user', id: user.id, after: toUser(user) }] : []
      await recordChanges(tx, audit, changes, causeOf('user.create', user))
      return { user, changes }
    })
    tellChanges(bus, changes)
    return user
  }

  async #refresh(known: UserRow, token: VerifiedToken): Promise<UserRow> {
    const { metadata, clock, audit, bus } = this.#needs
    const claims = claimsOf(token)
    const changed = known.name !== claims.name || known.email !== claims.email || known.roles !== claims.roles
    const now = clock.now()
    if (!changed) {
      if (now - Date.parse(known.last_seen_at) < SEEN_PRECISION_MS) return known
      await metadata.transaction((tx) => touchUser(tx, known.id, clock.iso())).catch(ignoreFullDisk)
      return known
    }
    const { user, changes } = await metadata.transaction(async (tx) => {
      const before = (await lockUser(tx, known.id)) as UserRow
      const user = await updateUser(tx, known.id, { ...claims, last_seen_at: clock.iso() })
      const changes = [changeOf(before, user, true)]
      await recordChanges(tx, audit, changes, causeOf('user.update', user))
      return { user, changes }
    })
    tellChanges(bus, changes)
    return user
  }
}

function claimsOf(token: VerifiedToken): Pick<UserRow, 'name' | 'email' | 'roles'> {
  const name = storable(token.name ?? token.subject, 200)
  const email = token.email === undefined ? null : storable(token.email, 320)
  return { name, email, roles: JSON.stringify(token.roles) }
}

/**
 * The text in the form in which the database returns it: any other form would look like a change with every request.
 */
function storable(text: string, maxChars: number): string {
  return text.replaceAll('\0', '').slice(0, maxChars).toWellFormed()
}

function changeOf(before: UserRow, after: UserRow, byToken: boolean): Change {
  return { type: 'user', id: after.id, before: toUser(before), after: toUser(after), event: { byToken } }
}

/** The cause of a change that a token brings about, outside of any request: the user is the actor. */
function causeOf(action: string, { id, name }: UserRow): Cause {
  return { user: { id, name }, apiKey: null, action, status: 200, ip: '', userAgent: null, requestId: '' }
}
