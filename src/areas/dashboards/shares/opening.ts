import type { Clock } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import type { Vault } from '../../../engines/vault/index.ts'
import type { Actor } from '../../../http/permissions.ts'
import { createRateLimiter, type RateLimiter } from '../../../http/rate-limit.ts'
import type { Users } from '../../users/index.ts'
import { mayView } from '../access/rights.ts'
import { readContent } from '../definition.ts'
import { Problem } from '../errors.ts'
import type { Content } from '../model/schema.ts'
import { findSnapshot } from '../snapshots/store.ts'
import { findDashboard, grantsOf } from '../store.ts'
import type { ShareRow, SnapshotRow } from './migrations.ts'
import { isPass, passFor } from './pass.ts'
import { isPassword } from './password.ts'
import { hashOf } from './service.ts'
import * as store from './store.ts'

const MAX_FAILURES = 10
const LOCKED_MS = 15 * 60_000
const PASS_MS = 3_600_000
/** Tokens that there are not are counted too, all together: guessing is hopeless, and costs nobody anything. */
const UNKNOWN_PER_MINUTE = 6000

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly vault: Vault
  users(): Promise<Pick<Users, 'owner'>>
}

/** A share that may be looked at now, and what it shows. */
export interface Opened {
  readonly row: ShareRow
  /** On whose behalf data are read. */
  readonly maker: Actor
  readonly content: Content
  readonly version: number
  readonly snapshot: SnapshotRow | undefined
}

/** What stands between a token and a dashboard: every request goes through all of it. */
export class ShareDoor {
  readonly #needs: Needs
  readonly #secrets: readonly [Buffer, ...Buffer[]]
  readonly #limiters = new Map<number, RateLimiter>()

  constructor(needs: Needs) {
    this.#needs = needs
    this.#secrets = needs.vault.deriveAll('dashboard-shares')
  }

  /** Throws with a code of its own for everything that can be wrong. */
  async open(token: string, pass: string | undefined): Promise<Opened> {
    const row = await this.#usable(token)
    const isOpen =
      row.password === null || (pass !== undefined && isPass(this.#secrets, row, pass, this.#needs.clock.now()))
    if (!isOpen) {
      this.#requireUnlocked(row)
      throw new Problem('share_password_needed')
    }
    return this.#shown(row)
  }

  /** The sites that may read and frame what a link shows, also where it can’t be opened; none where there is no such link. */
  async framedBy(token: string): Promise<Pick<ShareRow, 'origins'>> {
    return (await store.findByToken(this.#needs.metadata.db, hashOf(token))) ?? { origins: '[]' }
  }

  /** Takes a password, and answers what stands for it for an hour. */
  async unlock(token: string, password: string): Promise<{ access: string; expiresAt: string }> {
    const { clock } = this.#needs
    const row = await this.#usable(token)
    this.#requireUnlocked(row)
    const untilMs = clock.now() + PASS_MS
    if (row.password === null) return passFor(this.#secrets[0], row, untilMs)
    const isRight = await isPassword(row.password, password)
    await this.#count(row.id, isRight)
    if (!isRight) throw new Problem('share_password_wrong')
    return passFor(this.#secrets[0], row, untilMs)
  }

  async #usable(token: string): Promise<ShareRow> {
    const { metadata, clock } = this.#needs
    const row = await store.findByToken(metadata.db, hashOf(token))
    this.#requirePace(row?.id ?? 'unknown', row?.per_minute ?? UNKNOWN_PER_MINUTE)
    if (row === undefined) throw new Problem('share_not_found')
    const now = clock.iso()
    if (row.revoked_at !== null) throw new Problem('share_revoked')
    if (row.expires_at !== null && row.expires_at <= now) throw new Problem('share_expired')
    return row
  }

  /** Only for those who have no pass yet: else whoever has the link could keep everybody out with wrong passwords. */
  #requireUnlocked({ locked_until }: ShareRow): void {
    const { clock } = this.#needs
    if (locked_until === null || locked_until <= clock.iso()) return
    const seconds = Math.ceil((Date.parse(locked_until) - clock.now()) / 1000)
    throw new Problem('share_locked', { headers: { 'retry-after': String(seconds) } })
  }

  /** What a share shows is what its maker may see: at every look, not only when it was made. */
  async #shown(row: ShareRow): Promise<Opened> {
    const { db } = this.#needs.metadata
    const found = await (await this.#needs.users()).owner(row.created_by)
    const dashboard = await findDashboard(db, row.dashboard_id)
    if (found === undefined || dashboard === undefined) throw new Problem('share_maker_gone')
    const maker: Actor = { ...found, scopes: undefined, apiKeyId: undefined }
    if (!mayView(maker, dashboard, await grantsOf(db, dashboard.id))) throw new Problem('share_maker_gone')
    const snapshot = row.snapshot_id === null ? undefined : await findSnapshot(db, row.dashboard_id, row.snapshot_id)
    const content = snapshot === undefined ? readContent(dashboard) : (JSON.parse(snapshot.content) as Content)
    return { row, maker, content, version: dashboard.version, snapshot }
  }

  /** In a transaction that locks the row, so that many who try at once are counted one by one. */
  async #count(id: string, isRight: boolean): Promise<void> {
    const { metadata, clock } = this.#needs
    await metadata.transaction(async (tx) => {
      const row = await store.lockShare(tx, id)
      if (row === undefined || (isRight && row.failures === 0)) return
      const failures = isRight ? 0 : row.failures + 1
      const isLocked = failures >= MAX_FAILURES
      const until = isLocked ? new Date(clock.now() + LOCKED_MS).toISOString() : null
      await store.setFailures(tx, id, isLocked ? 0 : failures, until)
    })
  }

  #requirePace(id: string, perMinute: number): void {
    const limiter = this.#limiters.get(perMinute) ?? createRateLimiter(perMinute, this.#needs.clock, 'share')
    // Few: one for each limit that is in use, and they hold one minute.
    if (this.#limiters.size > 1000) this.#limiters.clear()
    this.#limiters.set(perMinute, limiter)
    const { ok, resetSeconds } = limiter.take(id)
    if (!ok) throw new Problem('share_busy', { headers: { 'retry-after': String(resetSeconds) } })
  }
}
