import { type Clock, toIso } from '../../engines/clock.ts'
import type { MakeId } from '../../engines/ids.ts'
import type { Db, Metadata } from '../../engines/metadata/index.ts'
import { attachmentNamed, keyFault, supportsPresigning } from '../../engines/objects/index.ts'
import type { Vault } from '../../engines/vault/index.ts'
import type { Actor } from '../../http/permissions.ts'
import type { BytesAnswer, Outcome, Performed } from '../../http/route.ts'
import { orNotFound } from '../../http/rows.ts'
import type { Guard } from '../classification/index.ts'
import { Problem } from './errors.ts'
import type { LinkRow } from './migrations.ts'
import type { Asked, Objects } from './objects.ts'
import type { BucketOpener, OpenedBucket } from './opened.ts'
import type { Link, LinkCreate, LinkQuery, LinkUrl, LinkUrlQuery, LinkUseQuery, NewLink } from './schema.ts'
import { isSigned, signLink } from './signature.ts'
import * as store from './store.ts'
import { withStore } from './store-problems.ts'
import type { Takings } from './takings.ts'

const DEFAULT_EXPIRY_SECONDS = 3600

export interface LinkNeeds {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly vault: Vault
  readonly opener: BucketOpener
  readonly objects: Objects
  readonly guard: Guard
  readonly takings: Pick<Takings, 'opened'>
  /** The address at which users reach the server; undefined: the host of the request. */
  readonly publicUrl: string | undefined
}

interface Wanted {
  readonly key: string
  readonly expiry?: number
  readonly download?: string
  readonly maxUses?: number
}

/** Links that let anybody who has them read one object for a time. */
export class Links {
  readonly #needs: LinkNeeds
  readonly #secrets: readonly [Buffer, ...Buffer[]]

  constructor(needs: LinkNeeds) {
    this.#needs = needs
    this.#secrets = needs.vault.deriveAll('object-links')
  }

  async list(bucket: string, query: LinkQuery) {
    const { rows, total, nextCursor } = await store.listLinks(this.#needs.metadata.db, bucket, query)
    await this.#needs.opener.require(bucket)
    return { links: rows.map(toLink), total, nextCursor }
  }

  /** A link of the provider where it has such, else one of the server. */
  async url(
    actor: Actor,
    bucket: string,
    key: string,
    query: LinkUrlQuery,
    host: string | undefined
  ): Promise<Performed<LinkUrl>> {
    const opened = await this.#requireObject(actor, bucket, key)
    const { store: backend, backend: backendName } = opened
    // A provider knows nothing of levels: of what not everybody may see, the server has to ask with every use.
    const isForAll = !(await this.#needs.guard.isObjectAbove(bucket, key, null))
    const isPresigned = isForAll && supportsPresigning(backend)
    const row = await this.#newRow(actor, bucket, { key, ...query }, isPresigned ? 'provider' : 'server')
    const expiresInSeconds = query.expiry ?? DEFAULT_EXPIRY_SECONDS
    const url = isPresigned
      ? await withStore(() => backend.presign(backendName, key, { expiresInSeconds, downloadAs: query.download }))
      : this.#urlOf(row, host)
    return { answer: { url, expiresAt: row.expires_at, linkId: row.id }, ...recorded(row) }
  }

  /** Makes a link of the server, which can be counted and revoked. */
  async create(actor: Actor, bucket: string, body: LinkCreate, host: string | undefined): Promise<Performed<NewLink>> {
    await this.#requireObject(actor, bucket, body.key)
    const row = await this.#newRow(actor, bucket, body, 'server')
    return {
      answer: { ...toLink(row), url: this.#urlOf(row, host) },
      headers: { location: `/api/buckets/${bucket}/links/${row.id}` },
      ...recorded(row)
    }
  }

  async get(bucket: string, id: string): Promise<Link> {
    return toLink(await this.#find(this.#needs.metadata.db, bucket, id))
  }

  async revoke(tx: Db, bucket: string, id: string): Promise<Outcome<null>> {
    const row = await this.#find(tx, bucket, id)
    if (row.kind === 'provider') throw new Problem('link_not_revocable', { members: { expiresAt: row.expires_at } })
    const revokedAt = row.revoked_at ?? this.#needs.clock.iso()
    await store.revokeLink(tx, id, revokedAt)
    const after = toLink({ ...row, revoked_at: revokedAt })
    return { answer: null, changes: [{ type: 'link', id, before: toLink(row), after }] }
  }

  /** Answers the object of a link. */
  async use(
    claims: { name: string; id: string; key: string },
    query: LinkUseQuery,
    asked: Asked
  ): Promise<BytesAnswer> {
    const { metadata, clock, objects, guard, takings } = this.#needs
    const { expires, signature } = query
    const { name: bucket, id, key } = claims
    if (!isSigned(this.#secrets, { id, bucket, key, expires }, signature)) throw new Problem('link_refused')
    if (clock.now() >= Number(expires)) throw new Problem('link_expired')
    const link =
      asked.method === 'HEAD'
        ? await store.findUsableLink(metadata.db, id)
        : await metadata.transaction((tx) => store.takeUse(tx, id, clock.iso()))
    if (link === undefined) throw new Problem('link_refused')
    if (await guard.isObjectAbove(bucket, key, link.shows_rank)) {
      throw new Problem('link_refused', {
        audited: { data: `object://${bucket}/${key}`, link: id, isAboveLevel: true }
      })
    }
    const fileName = link.download_as ?? key.slice(key.lastIndexOf('/') + 1)
    const content = await objects.content(bucket, key, asked, { 'content-disposition': attachmentNamed(fileName) })
    if (content.body !== undefined) takings.opened(link, { bucket, key })
    return content
  }

  async #requireObject(actor: Actor, bucket: string, key: string): Promise<OpenedBucket> {
    await this.#needs.guard.requireObject(actor, bucket, key)
    const opened = await this.#needs.opener.open(bucket)
    if (keyFault(key) !== undefined) throw new Problem('not_found')
    await withStore(() => opened.store.head(opened.backend, key))
    return opened
  }

  async #newRow(actor: Actor, bucket: string, wanted: Wanted, kind: LinkRow['kind']): Promise<LinkRow> {
    const { clock, makeId, guard } = this.#needs
    const now = clock.now()
    const expiresMs = now + (wanted.expiry ?? DEFAULT_EXPIRY_SECONDS) * 1000
    return {
      id: makeId('lnk'),
      bucket,
      key: wanted.key,
      kind,
      download_as: wanted.download ?? null,
      max_uses: wanted.maxUses ?? null,
      uses: 0,
      last_used_at: null,
      revoked_at: null,
      expires_at: toIso(expiresMs),
      created_by: actor.id,
      created_at: toIso(now),
      shows_rank: await guard.rankOfLink(bucket, wanted.key)
    }
  }

  #urlOf({ id, bucket, key, expires_at }: LinkRow, host: string | undefined): string {
    const base = this.#needs.publicUrl ?? `http://${host ?? 'localhost'}`
    const expires = String(Date.parse(expires_at))
    const signature = signLink(this.#secrets[0], { id, bucket, key, expires })
    return `${base}/api/buckets/${bucket}/links/${id}/${encodeURIComponent(key)}?expires=${expires}&signature=${signature}`
  }

  async #find(db: Db, bucket: string, id: string): Promise<LinkRow> {
    const row = await orNotFound(store.findLink(db, bucket, id))
    return row
  }
}

function recorded(row: LinkRow): Pick<Performed<never>, 'changes' | 'commit'> {
  return {
    changes: [{ type: 'link', id: row.id, after: toLink(row) }],
    commit: async (tx) => {
      await store.insertLink(tx, row)
    }
  }
}

function toLink(row: LinkRow): Link {
  return {
    id: row.id,
    bucket: row.bucket,
    key: row.key,
    kind: row.kind,
    download: row.download_as,
    maxUses: row.max_uses,
    uses: row.kind === 'provider' ? null : row.uses,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
    expiresAt: row.expires_at,
    createdBy: row.created_by,
    createdAt: row.created_at
  }
}
