import { createHash, randomBytes } from 'node:crypto'
import { parseReference } from '../../../data/reference.ts'
import type { Clock } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import { type FieldError, Problem } from '../../../errors.ts'
import { requireRead } from '../../../http/data-rights.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Outcome } from '../../../http/route.ts'
import { orNotFound } from '../../../http/rows.ts'
import type { Guard } from '../../classification/index.ts'
import type { Access, NamedUsers } from '../access/service.ts'
import { MAX_ROWS } from '../data/schema.ts'
import { choiceFault } from '../data/variables.ts'
import { readContent } from '../definition.ts'
import { dataOf } from '../model/data.ts'
import type { Content } from '../model/schema.ts'
import type { Dashboards } from '../service.ts'
import { findSnapshot } from '../snapshots/store.ts'
import { requireKind } from './check.ts'
import type { ShareRow, SnapshotRow } from './migrations.ts'
import { hidePassword } from './password.ts'
import { DEFAULT_PER_MINUTE, type ShareCreate, type ShareDetail, type Shared, type ShareQuery } from './schema.ts'
import * as store from './store.ts'
import { toShare } from './view.ts'

const MAX_SHARES = 1000
const TOKEN_BYTES = 32

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly dashboards: Dashboards
  readonly access: Access
  readonly publicUrl: string | undefined
  guard(): Promise<Pick<Guard, 'rankOf' | 'requireAll'>>
}

type Prepared =
  | { readonly kind: 'inside'; readonly users: NamedUsers }
  | {
      readonly kind: 'link'
      readonly rank: number
      readonly password: string | null
      readonly snapshotId: string | null
    }

export const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64')

/** Links that show a dashboard to whoever has them, as those manage them who make them. */
export class Shares {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(actor: Actor, id: string, query: ShareQuery) {
    const { metadata, clock, dashboards } = this.#needs
    const { rows, total, nextCursor } = await store.listShares(metadata.db, id, query)
    await dashboards.requireEdit(metadata.db, actor, id)
    const now = clock.iso()
    return { shares: rows.map((row) => toShare(row, now)), total, nextCursor }
  }

  async get(actor: Actor, id: string, shareId: string): Promise<ShareDetail> {
    const { metadata, clock, dashboards } = this.#needs
    await dashboards.requireEdit(metadata.db, actor, id)
    const row = await orNotFound(store.findShare(metadata.db, id, shareId))
    const views = await store.lastViews(metadata.db, shareId)
    const lastViews = views.map(({ viewed_at: at, address_class }) => ({
      at,
      from: address_class as ShareDetail['lastViews'][number]['from']
    }))
    return { ...toShare(row, clock.iso()), lastViews }
  }

  /** What sharing needs beside the database, before its transaction. */
  async prepare(actor: Actor, id: string, body: ShareCreate): Promise<Prepared> {
    const { metadata, access, dashboards } = this.#needs
    if (requireKind(body) === 'inside') {
      return {
        kind: 'inside',
        users: await access.named({ grants: (body.users ?? []).map((user) => ({ user, permission: 'view' })) })
      }
    }
    const { row } = await dashboards.requireEdit(metadata.db, actor, id)
    const snapshot = await this.#snapshotOf(id, body)
    const reads = snapshot === undefined ? dataOf(readContent(row)) : (JSON.parse(snapshot.reads) as string[])
    const rank = await this.#rankFor(actor, reads)
    const password = body.password === undefined ? null : await hidePassword(body.password)
    return { kind: 'link', rank, password, snapshotId: snapshot?.id ?? null }
  }

  /** Shares inside where users or roles are named, else makes a link. */
  share(tx: Db, actor: Actor, id: string, body: ShareCreate, prepared: Prepared, host: string | undefined) {
    if (prepared.kind === 'link') return this.#link(tx, actor, id, body, prepared, host)
    return this.#inside(tx, actor, id, body, prepared.users)
  }

  async revoke(tx: Db, actor: Actor, id: string, shareId: string): Promise<Outcome<null>> {
    const { clock, dashboards } = this.#needs
    await dashboards.requireEdit(tx, actor, id)
    const row = await orNotFound(store.findShare(tx, id, shareId))
    const now = clock.iso()
    const revokedAt = row.revoked_at ?? now
    await store.revokeShare(tx, shareId, revokedAt)
    const after = toShare({ ...row, revoked_at: revokedAt }, now)
    return { answer: null, changes: [{ type: 'dashboard-share', id: shareId, before: toShare(row, now), after }] }
  }

  async #inside(tx: Db, actor: Actor, id: string, body: ShareCreate, users: NamedUsers): Promise<Outcome<Shared>> {
    const { users: ids = [], roles = [], permission = 'view' } = body
    const { answer, changes } = await this.#needs.access.grant(tx, actor, id, { ids, roles, permission }, users)
    return { answer: { access: answer }, changes }
  }

  async #link(
    tx: Db,
    actor: Actor,
    id: string,
    body: ShareCreate,
    { rank, password, snapshotId }: Extract<Prepared, { kind: 'link' }>,
    host: string | undefined
  ): Promise<Outcome<Shared>> {
    const { clock, makeId, dashboards } = this.#needs
    const { row: dashboard } = await dashboards.requireEdit(tx, actor, id)
    if ((await store.countShares(tx, id)) >= MAX_SHARES) throw new Problem('too_many_shares')
    const now = clock.iso()
    requireSound(body, readContent(dashboard), now)
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const row: ShareRow = {
      id: makeId('shr'),
      dashboard_id: id,
      snapshot_id: snapshotId,
      name: body.name ?? '',
      token_hash: hashOf(token),
      password,
      failures: 0,
      locked_until: null,
      expires_at: body.expiresAt === undefined ? null : new Date(body.expiresAt).toISOString(),
      revoked_at: null,
      variables: JSON.stringify(body.variables ?? {}),
      choose_time: Number(body.chooseTime ?? false),
      max_rows: body.maxRows ?? MAX_ROWS,
      per_minute: body.requestsPerMinute ?? DEFAULT_PER_MINUTE,
      origins: JSON.stringify(body.origins ?? []),
      shows_rank: rank,
      views: 0,
      last_viewed_at: null,
      created_by: actor.id,
      created_by_name: actor.name,
      created_at: now
    }
    await store.insertShare(tx, row)
    const share = toShare(row, now)
    return {
      answer: { ...share, url: this.#urlOf(token, host), token },
      changes: [{ type: 'dashboard-share', id: row.id, after: share }],
      headers: { location: `/api/dashboards/${id}/shares/${row.id}` }
    }
  }

  /** Whoever shares data has to be allowed to see all of them. */
  async #rankFor(actor: Actor, data: readonly string[]): Promise<number> {
    for (const text of data) {
      const reference = parseReference(text)
      if (!('problem' in reference)) requireRead(actor, reference)
    }
    const guard = await this.#needs.guard()
    await guard.requireAll(actor, data)
    return guard.rankOf(data)
  }

  async #snapshotOf(id: string, { snapshotId }: ShareCreate): Promise<SnapshotRow | undefined> {
    if (snapshotId === undefined) return undefined
    const found = await findSnapshot(this.#needs.metadata.db, id, snapshotId)
    if (found !== undefined) return found
    const errors = [{ pointer: '/snapshotId', message: 'is no snapshot of this dashboard' }]
    throw new Problem('unprocessable', { errors })
  }

  #urlOf(token: string, host: string | undefined): string {
    return `${this.#needs.publicUrl ?? `http://${host ?? 'localhost'}`}/api/dashboards/shared/${token}/page`
  }
}

function requireSound({ expiresAt, variables = {} }: ShareCreate, content: Content, now: string): void {
  const errors: FieldError[] = []
  if (expiresAt !== undefined && new Date(expiresAt).toISOString() <= now) {
    errors.push({ pointer: '/expiresAt', message: 'must be later than now' })
  }
  const known = new Map(content.variables.map((variable) => [variable.name, variable]))
  for (const [name, value] of Object.entries(variables)) {
    const variable = known.get(name)
    const message = variable === undefined ? 'is no variable of the dashboard' : choiceFault(variable, value)
    if (message !== undefined) errors.push({ pointer: `/variables/${name}`, message })
  }
  if (errors.length > 0) throw new Problem('unprocessable', { errors })
}
