import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../engines/clock.ts'
import { CATEGORIES, type Category, type Entry, findSource } from '../../engines/drivers/index.ts'
import type { Db, Metadata } from '../../engines/metadata/index.ts'
import type { Uses } from '../../http/in-use.ts'
import type { Actor } from '../../http/permissions.ts'
import type { Outcome } from '../../http/route.ts'
import { firstStamps, nextStamps, orNameTaken, orNotFound } from '../../http/rows.ts'
import { isRecord } from '../../http/sealed-config.ts'
import { invalidField, Problem } from './errors.ts'
import type { OwnSourceRow } from './migrations.ts'
import type { OwnSource } from './schema.ts'
import * as store from './store.ts'

/** Says where a service is in place of where its entry says; see `declared/driver.ts`. */
const OVERRIDE = 'base_url'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly uses: Uses
}

/** The sources that users have added, in the form of those that are shipped. */
export class OwnSources {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async find(id: string): Promise<Entry | undefined> {
    const row = await store.findOwn(this.#needs.metadata.db, id)
    return row && entryOf(row)
  }

  async all(): Promise<Entry[]> {
    return (await store.allOwn(this.#needs.metadata.db)).map(entryOf)
  }

  /** One of a user's, or one that is shipped in the same form. */
  async get(id: string): Promise<OwnSource> {
    const row = await store.findOwn(this.#needs.metadata.db, id)
    if (row !== undefined) return toOwnSource(row)
    const entry = await this.#shipped(id)
    if (entry === 'driver') {
      const detail = `${id} has a driver of its own, and is not declared: GET /api/integration/sources/${id}/spec has all that there is of it.`
      throw new Problem('not_found', { detail })
    }
    return { ...(await orNotFound(Promise.resolve(entry))), own: false }
  }

  /** For whoever wants to change or delete a source: that this is none of those that can be. */
  async requireOwn(id: string): Promise<void> {
    if ((await this.find(id)) !== undefined || (await this.#shipped(id)) === undefined) return
    throw new Problem('shipped_source')
  }

  /** What was sent, once it is right; throws all that is wrong with it. */
  async prepare(sent: unknown): Promise<Entry> {
    if (!isRecord(sent)) throw invalidField('', 'must be a JSON object')
    const { EntryError, parseEntry } = await import('../../engines/drivers/declared/catalogue/index.ts')
    try {
      const entry = parseEntry(sent)
      const patterned = Object.keys(entry.settings).find((name) => entry.settings[name]?.pattern !== undefined)
      // An expression can take for ever, and all others would wait.
      if (patterned !== undefined)
        throw invalidField(`/settings/${patterned}/pattern`, 'can’t be given in a source of your own; use choices')
      if (Object.hasOwn(entry.settings, OVERRIDE))
        throw invalidField(`/settings/${OVERRIDE}`, 'is a setting of every source; take another name')
      if (CATEGORIES.includes(entry.category as Category)) return entry
      throw invalidField('/category', `must be one of ${CATEGORIES.join(', ')}`)
    } catch (error) {
      if (!(error instanceof EntryError)) throw error
      throw new Problem('invalid_request', { errors: error.faults })
    }
  }

  /** The same for one that is to be added. */
  async prepareNew(sent: unknown): Promise<Entry> {
    const entry = await this.prepare(sent)
    if ((await this.#shipped(entry.id)) === undefined) return entry
    throw new Problem('name_taken', { detail: `${entry.id} is a source that is shipped; take another id.` })
  }

  /** What is shipped under an id: its entry, or that it has a driver. */
  async #shipped(id: string): Promise<Entry | 'driver' | undefined> {
    if (findSource(id) !== undefined) return 'driver'
    const { loadEntry } = await import('../../engines/drivers/declared/catalogue/index.ts')
    return loadEntry(id)
  }

  async create(tx: Db, actor: Actor, entry: Entry): Promise<Outcome<OwnSource>> {
    if ((await store.allOwn(tx)).length >= store.MAX_OWN) throw new Problem('too_many_sources')
    const { id } = entry
    const row = { id, entry: JSON.stringify(entry), created_by: actor.id, ...firstStamps(this.#needs.clock) }
    await orNameTaken(() => store.insertOwn(tx, row), `There is a source ${id}; change it, or take another id.`)
    const answer = toOwnSource(row)
    return { answer, changes: [{ type: 'integration-source', id, after: answer }] }
  }

  /** It goes to no other addresses while connectors use it: their secrets were given for those. */
  async update(tx: Db, id: string, entry: Entry): Promise<Outcome<OwnSource>> {
    const before = await orNotFound(store.lockOwn(tx, id))
    if (entry.id !== id) throw invalidField('/id', 'must stay as it is; add a source of its own under another id')
    if (goesElsewhere(entry, entryOf(before))) await this.#needs.uses.requireUnused(tx, resource(id), ELSEWHERE)
    const row = { ...before, entry: JSON.stringify(entry), ...nextStamps(before, this.#needs.clock) }
    await store.updateOwn(tx, row)
    const answer = toOwnSource(row)
    return { answer, changes: [{ type: 'integration-source', id, before: toOwnSource(before), after: answer }] }
  }

  async delete(tx: Db, id: string): Promise<Outcome<null>> {
    const row = await orNotFound(store.lockOwn(tx, id))
    await this.#needs.uses.requireUnused(tx, resource(id), 'delete those connectors')
    await store.deleteOwn(tx, id)
    return { answer: null, changes: [{ type: 'integration-source', id, before: toOwnSource(row) }] }
  }
}

const ELSEWHERE =
  'add a source under another id: it would go to other addresses, and the secrets of connectors were not given for those'

const resource = (id: string) => ({ type: 'integration-source' as const, id })

/** Whether an entry could send a secret to where the other does not. */
function goesElsewhere(entry: Entry, other: Entry): boolean {
  const known = new Set(addressesOf(other))
  if (addressesOf(entry).some((address) => !known.has(address))) return true
  if (!isDeepStrictEqual(secretsOf(entry), secretsOf(other))) return true
  return !isDeepStrictEqual(entry.authentication, other.authentication)
}

/** What was sealed has to stay so. */
const secretsOf = ({ settings }: Entry) =>
  Object.keys(settings)
    .filter((name) => settings[name]?.secret === true)
    .sort()

function addressesOf({ base, usual, check, streams }: Entry): string[] {
  const told = [usual, typeof check === 'object' ? check : undefined, ...Object.values(streams)]
  const addresses = told.flatMap((part) => [part && 'base' in part ? part.base : undefined, part?.path])
  const isWhole = (address: string) => /^[^/]*:\/\/|^\{/.test(address)
  return [base, ...addresses.filter((address) => address !== undefined).filter(isWhole)]
}

const entryOf = ({ entry }: OwnSourceRow) => JSON.parse(entry) as Entry

function toOwnSource(row: OwnSourceRow): OwnSource {
  return { ...entryOf(row), own: true, version: row.version, createdAt: row.created_at, updatedAt: row.updated_at }
}
